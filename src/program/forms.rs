//! Which form a program has, and so what makes it the body of one async function that returns its value.
//!
//! Two readings of a text: as statements, and as one expression (`{ a: 1 }`, `function () { … }`), which JavaScript
//! would not see at the beginning of a statement. A function that stands alone, or that nothing else mentions in a
//! program of declarations only, is the entry and is called with what `entry` says; so is what a program exports.

use std::collections::BTreeMap;

use oxc_allocator::Allocator;
use oxc_ast::ast::{Declaration, Expression, Function, Program, Statement};
use oxc_span::{GetSpan, Span};

use crate::error::{Code, Error};

use super::completion::{Keep, has_value, is_uncertain};
use super::edits::{Draft, Edit};
use super::entry::Frame;
use super::exports::Entry;
use super::syntax::{Dialect, Fault, parse};
use super::tokens::{Kind, Token, Tokens};

/// First and last byte of what a text says, without comments around it and semicolons after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent<'a> {
    pub(super) first: &'a str,
    start: usize,
    end: usize,
}

impl<'a> Extent<'a> {
    /// Only these begin a statement and an expression alike.
    pub(super) fn begins_both(&self) -> bool {
        matches!(self.first, "{" | "function" | "async" | "class")
    }

    pub(super) fn widen(extent: &mut Option<Self>, token: &Token<'a>) {
        if token.text != ";" {
            let end = token.start + token.text.len();
            extent
                .get_or_insert(Self {
                    first: token.text,
                    start: token.start,
                    end,
                })
                .end = end;
        }
    }
}

/// What the whole text is as an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whole {
    Object,
    Other,
}

/// Why a text is not one expression that can be a program.
#[derive(Debug)]
pub(super) enum Refused {
    Syntax(Fault),
    Generator(Error),
    Other,
}

/// The text with parentheses around it.
pub(super) fn enclosed<'s>(draft: &Draft<'s>, extent: Extent<'_>) -> Result<Draft<'s>, Error> {
    draft.apply(vec![
        Edit::insert(extent.start, "("),
        Edit::insert(extent.end, ")"),
    ])
}

/// The expression between our own parentheses, if it is all there is: nothing closed them early.
pub(super) fn within<'p, 'a>(program: &'p Program<'a>) -> Option<&'p Expression<'a>> {
    match program.body.as_slice() {
        [Statement::ExpressionStatement(only)] => match &only.expression {
            Expression::ParenthesizedExpression(ours) => Some(&ours.expression),
            _ => None,
        },
        _ => None,
    }
}

/// Reads the text as one expression.
pub(super) fn as_expression(
    allocator: &Allocator,
    draft: &Draft<'_>,
    extent: Extent<'_>,
    frame: &Frame<'_>,
) -> Result<(Whole, Vec<Edit>), Refused> {
    let probe = enclosed(draft, extent).map_err(Refused::Generator)?;
    let program = parse(allocator, &probe.text, Dialect::JavaScript).map_err(|fault| {
        Refused::Syntax(fault.moved(|offset| offset.saturating_sub(1).min(draft.text.len())))
    })?;
    let expression = within(&program).ok_or(Refused::Other)?;
    let whole = match expression {
        Expression::ObjectExpression(_) => Whole::Object,
        _ => Whole::Other,
    };
    let call = call(expression, frame).map_err(Refused::Generator)?;
    let span = Span::new(to_offset(extent.start), to_offset(extent.end));
    let inside = returned(span, call);
    Ok((whole, wrap(&draft.text, frame, String::new(), inside, "")))
}

/// Reads the text as statements.
pub(super) fn as_statements(
    program: &Program<'_>,
    source: &str,
    frame: &Frame<'_>,
    entry: Option<&Entry>,
) -> Result<Vec<Edit>, Error> {
    let none = String::new();
    Ok(match outcome(program, source, frame, entry)? {
        Outcome::Value(span, call) => wrap(source, frame, none, returned(span, call), ""),
        Outcome::Kept(statements) => {
            let variable = &frame.names.value;
            let edits = Keep::value(&statements, variable);
            let end = format!("\nreturn await {variable};");
            wrap(source, frame, format!("let {variable};"), edits, &end)
        }
        Outcome::Named(value) => wrap(
            source,
            frame,
            none,
            Vec::new(),
            &format!("\nreturn await {value};"),
        ),
        Outcome::Nothing => wrap(source, frame, none, Vec::new(), ""),
    })
}

/// Where the value of a block comes from.
#[derive(Debug)]
enum Outcome<'p, 'a> {
    Value(Span, Call),
    Kept(Vec<&'p Statement<'a>>),
    /// An expression over declared names.
    Named(String),
    Nothing,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Call {
    /// With these arguments.
    Yes(String),
    No,
}

fn outcome<'p, 'a>(
    program: &'p Program<'a>,
    source: &str,
    frame: &Frame<'_>,
    entry: Option<&Entry>,
) -> Result<Outcome<'p, 'a>, Error> {
    let mut body: Vec<_> = program
        .body
        .iter()
        .filter(|it| !matches!(it, Statement::EmptyStatement(_)))
        .collect();
    if let Some(value) = entry.and_then(|entry| exported(&body, source, frame, entry)) {
        return Ok(Outcome::Named(value?));
    }
    if let [Statement::FunctionDeclaration(only)] = body.as_slice() {
        return Ok(Outcome::Value(only.span, call_function(only, frame)?));
    }
    let Some(last) = body.last() else {
        // A text alone is taken for a directive.
        let text = program.directives.last().map(|it| it.expression.span);
        return text
            .map(|span| Outcome::Value(span, Call::No))
            .ok_or_else(no_program);
    };
    if let Some(value) = last
        .as_declaration()
        .and_then(|it| declared_value(it, frame))
    {
        return Ok(Outcome::Named(value));
    }
    let from = body.iter().rposition(|it| has_value(it));
    if body
        .iter()
        .skip(from.unwrap_or(0))
        .any(|it| is_uncertain(it))
    {
        return Ok(Outcome::Kept(body.split_off(from.unwrap_or(0))));
    }
    match from.and_then(|at| body.get(at)) {
        Some(Statement::ExpressionStatement(it)) => {
            return Ok(Outcome::Value(
                it.expression.span(),
                call(&it.expression, frame)?,
            ));
        }
        Some(Statement::ReturnStatement(_) | Statement::ThrowStatement(_)) => {
            return Ok(Outcome::Nothing);
        }
        Some(_) => return Ok(Outcome::Kept(body.split_off(from.unwrap_or(0)))),
        None => {}
    }
    let declarations = || body.iter().rev().filter_map(|it| it.as_declaration());
    let mentions = mentions(source);
    let entry = declarations()
        .filter_map(|it| declared_function(it, frame))
        .find(|(name, _)| mentions.get(name) == Some(&1));
    let value = entry
        .map(|(name, arguments)| format!("{name}({arguments})"))
        .or_else(|| declarations().find_map(|it| declared_value(it, frame)));
    Ok(value.map_or(Outcome::Nothing, Outcome::Named))
}

/// What comes of the entry that a program exports; nothing if the program calls it itself.
fn exported(
    body: &[&Statement<'_>],
    source: &str,
    frame: &Frame<'_>,
    entry: &Entry,
) -> Option<Result<String, Error>> {
    let name = entry.name();
    let declarations = || body.iter().filter_map(|it| it.as_declaration());
    if declarations().any(|it| is_generator(it, name)) {
        return Some(Err(no_generator()));
    }
    let declared = declarations()
        .filter_map(|it| declared_function(it, frame))
        .find(|(declared, _)| *declared == name);
    match (entry, declared) {
        (Entry::Named(_), _) if mentions(source).get(name) != Some(&1) => None,
        (Entry::Named(_), None) => None,
        (_, Some((_, arguments))) => Some(Ok(format!("{name}({arguments})"))),
        (Entry::Default(_), None) => {
            let input = &frame.names.input;
            Some(Ok(format!(
                "(typeof {name}===\"function\"?{name}({input}):{name})"
            )))
        }
    }
}

fn is_generator(declaration: &Declaration<'_>, name: &str) -> bool {
    match declaration {
        Declaration::FunctionDeclaration(it) => {
            it.generator && it.name().is_some_and(|it| it == name)
        }
        Declaration::VariableDeclaration(it) => it.declarations.iter().any(|it| {
            let named = it
                .id
                .get_binding_identifier()
                .is_some_and(|id| id.name == name);
            let function = it.init.as_ref().map(Expression::without_parentheses);
            named && matches!(function, Some(Expression::FunctionExpression(it)) if it.generator)
        }),
        _ => false,
    }
}

/// The value of the last name that a `const`, `let` or `var` declares; of a pattern, an object of its names. Functions
/// are no values.
fn declared_value(declaration: &Declaration<'_>, frame: &Frame<'_>) -> Option<String> {
    let Declaration::VariableDeclaration(it) = declaration else {
        return None;
    };
    if it.kind.is_using() || declared_function(declaration, frame).is_some() {
        return None;
    }
    let names: Vec<_> = it.declarations.last()?.id.get_binding_identifiers();
    match names.as_slice() {
        [] => None,
        [only] => Some(only.name.to_string()),
        several => Some(format!(
            "{{ {} }}",
            several
                .iter()
                .map(|it| it.name.as_str())
                .collect::<Vec<_>>()
                .join(", ")
        )),
    }
}

/// The name of the function that a declaration is for, and what it is called with.
fn declared_function<'p>(
    declaration: &'p Declaration<'_>,
    frame: &Frame<'_>,
) -> Option<(&'p str, String)> {
    match declaration {
        Declaration::FunctionDeclaration(it) if !it.generator => {
            let name = it.id.as_ref()?.name.as_str();
            Some((name, frame.arguments(&it.params)))
        }
        Declaration::VariableDeclaration(it) => match it.declarations.as_slice() {
            [only] => match call(only.init.as_ref()?, frame) {
                Ok(Call::Yes(arguments)) => {
                    Some((only.id.get_binding_identifier()?.name.as_str(), arguments))
                }
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

/// How often each name is written. In one pass: a program may declare thousands of functions.
fn mentions(source: &str) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for token in Tokens::new(source) {
        if token.kind == (Kind::Word { reserved: true }) {
            *counts.entry(token.text).or_insert(0) += 1;
        }
    }
    counts
}

/// Is this expression a function, to be called rather than returned?
fn call(expression: &Expression<'_>, frame: &Frame<'_>) -> Result<Call, Error> {
    match expression.without_parentheses() {
        Expression::ArrowFunctionExpression(it) => Ok(Call::Yes(frame.arguments(&it.params))),
        Expression::FunctionExpression(it) => call_function(it, frame),
        _ => Ok(Call::No),
    }
}

fn call_function(function: &Function<'_>, frame: &Frame<'_>) -> Result<Call, Error> {
    if function.generator {
        return Err(no_generator());
    }
    Ok(Call::Yes(frame.arguments(&function.params)))
}

fn no_generator() -> Error {
    Error::new(
        Code::InvalidInput,
        "the program is a generator function, which only makes an iterator when it is called; write an async arrow \
         function, `async () => { … }`, and use `await` in place of `yield`",
    )
}

/// Awaited here, because `return` of a promise would ask its `then`, which the program may have replaced.
fn returned(span: Span, call: Call) -> Vec<Edit> {
    let close = match call {
        Call::Yes(arguments) => format!(")({arguments})"),
        Call::No => ")".to_owned(),
    };
    vec![
        Edit::insert(span.start as usize, "return await ("),
        Edit::insert(span.end as usize, close),
    ]
}

fn wrap(
    source: &str,
    frame: &Frame<'_>,
    declared: String,
    inside: Vec<Edit>,
    end: &str,
) -> Vec<Edit> {
    let head = frame.head();
    let mut edits = vec![Edit::insert(0, format!("{head}{declared}"))];
    if source.starts_with("#!") {
        // A hashbang is only one at the very beginning; here it is a comment.
        edits.push(Edit::insert(0, "//"));
    }
    edits.extend(inside);
    // On a line of its own: the program may end in a comment.
    edits.push(Edit::insert(source.len(), format!("{end}\n}}")));
    edits
}

fn to_offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

pub(super) fn no_program() -> Error {
    Error::new(
        Code::InvalidInput,
        "there is no program in this text; send JavaScript, for example \
         `async () => { const found = await codemode.search(\"…\"); return found; }`",
    )
}
