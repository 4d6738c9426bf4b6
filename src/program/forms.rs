//! Which form a program has, and so what makes it the body of one async function that returns its value.
//!
//! Two readings of a text: as statements, and as one expression (`{ a: 1 }`, `function () { … }`), which JavaScript
//! would not see at the beginning of a statement. A function that stands alone, or that nothing else mentions in a
//! program of declarations only, is the entry and is called with the input, which only a snippet has.

use oxc_allocator::Allocator;
use oxc_ast::ast::{Declaration, Expression, Function, Program, Statement};
use oxc_span::{GetSpan, Span};

use crate::error::{Code, Error};

use super::completion::{Keep, has_value, is_uncertain};
use super::edits::{Addition, Edited};
use super::syntax::{Fault, parse};
use super::tokens::{Kind, Token, Tokens};

/// On a line of its own: the program may end in a comment.
const TAIL: &str = "\n}";
/// The parameter of a module whose program is a function.
const INPUT: &str = "input$";

/// First and last byte of what a text says, without comments around it and semicolons after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent<'a> {
    pub(super) first: &'a str,
    start: usize,
    end: usize,
}

impl<'a> Extent<'a> {
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

/// What has to be added to a text, and whether its entry is a function that is given the input of `codemode.run`.
pub(super) type Reading = (Vec<Addition>, bool);

/// What the whole text is as an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whole {
    Object,
    Other,
}

/// Reads the text as one expression.
pub(super) fn as_expression(
    allocator: &Allocator,
    source: &str,
    extent: Extent<'_>,
) -> Result<(Whole, Reading), Refused> {
    let parens = vec![
        Addition::new(extent.start, "("),
        Addition::new(extent.end, ")"),
    ];
    let probe = Edited::new(source, parens);
    let program = parse(allocator, &probe.text).map_err(|fault| {
        Refused::Syntax(fault.moved(|offset| probe.origin(offset).min(source.len())))
    })?;
    // One statement, and it is our own parentheses: nothing closed them early.
    let ours = match program.body.as_slice() {
        [Statement::ExpressionStatement(only)] => match &only.expression {
            Expression::ParenthesizedExpression(ours) => ours,
            _ => return Err(Refused::Other),
        },
        _ => return Err(Refused::Other),
    };
    let whole = match ours.expression {
        Expression::ObjectExpression(_) => Whole::Object,
        _ => Whole::Other,
    };
    let call = call(&ours.expression).map_err(Refused::Generator)?;
    let span = Span::new(to_offset(extent.start), to_offset(extent.end));
    Ok((whole, valued(source, span, call)))
}

/// Why a text is not one expression that can be a program.
#[derive(Debug)]
pub(super) enum Refused {
    Syntax(Fault),
    Generator(Error),
    Other,
}

/// Reads the text as statements.
pub(super) fn as_statements(program: &Program<'_>, source: &str) -> Result<Reading, Error> {
    let additions = match outcome(program, source)? {
        Outcome::Value(span, call) => return Ok(valued(source, span, call)),
        Outcome::Entry(name) => {
            let input = unused_name(source, INPUT);
            let end = format!("\nreturn await {name}({input});");
            return Ok((wrap(source, &input, "", Vec::new(), &end), true));
        }
        Outcome::Kept(statements) => {
            let variable = unused_name(source, "completion$");
            let additions = Keep::value(&statements, &variable);
            wrap(
                source,
                "",
                &format!("let {variable};"),
                additions,
                &format!("\nreturn await {variable};"),
            )
        }
        Outcome::Named(value) => wrap(
            source,
            "",
            "",
            Vec::new(),
            &format!("\nreturn await {value};"),
        ),
        Outcome::Nothing => wrap(source, "", "", Vec::new(), ""),
    };
    Ok((additions, false))
}

/// Where the value of a block comes from.
#[derive(Debug)]
enum Outcome<'p, 'a> {
    Value(Span, Call),
    Kept(Vec<&'p Statement<'a>>),
    /// An expression over declared names.
    Named(String),
    /// A declared function, to be called.
    Entry(String),
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    Yes,
    No,
}

fn outcome<'p, 'a>(program: &'p Program<'a>, source: &str) -> Result<Outcome<'p, 'a>, Error> {
    let mut body: Vec<_> = program
        .body
        .iter()
        .filter(|it| !matches!(it, Statement::EmptyStatement(_)))
        .collect();
    if let [Statement::FunctionDeclaration(only)] = body.as_slice() {
        return Ok(Outcome::Value(only.span, call_function(only)?));
    }
    let Some(last) = body.last() else {
        // A text alone is taken for a directive.
        let text = program.directives.last().map(|it| it.expression.span);
        return text
            .map(|span| Outcome::Value(span, Call::No))
            .ok_or_else(no_program);
    };
    if let Some(value) = last.as_declaration().and_then(declared_value) {
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
            return Ok(Outcome::Value(it.expression.span(), call(&it.expression)?));
        }
        Some(Statement::ReturnStatement(_) | Statement::ThrowStatement(_)) => {
            return Ok(Outcome::Nothing);
        }
        Some(_) => return Ok(Outcome::Kept(body.split_off(from.unwrap_or(0)))),
        None => {}
    }
    let declarations = || body.iter().rev().filter_map(|it| it.as_declaration());
    let entry = declarations()
        .filter_map(declared_function)
        .find(|name| mentions(source, name) == 1);
    if let Some(name) = entry {
        return Ok(Outcome::Entry(name.to_owned()));
    }
    let value = declarations().find_map(declared_value);
    Ok(value.map_or(Outcome::Nothing, Outcome::Named))
}

/// The value of the last name that a `const`, `let` or `var` declares; of a pattern, an object of its names. Functions
/// are no values.
fn declared_value(declaration: &Declaration<'_>) -> Option<String> {
    let Declaration::VariableDeclaration(it) = declaration else {
        return None;
    };
    if it.kind.is_using() || declared_function(declaration).is_some() {
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

/// The name of the function that a declaration is for.
fn declared_function<'p>(declaration: &'p Declaration<'_>) -> Option<&'p str> {
    match declaration {
        Declaration::FunctionDeclaration(it) if !it.generator => {
            it.id.as_ref().map(|id| id.name.as_str())
        }
        Declaration::VariableDeclaration(it) => match it.declarations.as_slice() {
            [only] if matches!(only.init.as_ref().map(call), Some(Ok(Call::Yes))) => {
                only.id.get_binding_identifier().map(|id| id.name.as_str())
            }
            _ => None,
        },
        _ => None,
    }
}

fn mentions(source: &str, name: &str) -> usize {
    Tokens::new(source)
        .filter(|it| it.text == name && it.kind == (Kind::Word { reserved: true }))
        .count()
}

/// Is this expression a function, to be called rather than returned?
fn call(expression: &Expression<'_>) -> Result<Call, Error> {
    match expression.without_parentheses() {
        Expression::ArrowFunctionExpression(_) => Ok(Call::Yes),
        Expression::FunctionExpression(it) => call_function(it),
        _ => Ok(Call::No),
    }
}

fn call_function(function: &Function<'_>) -> Result<Call, Error> {
    if function.generator {
        return Err(Error::new(
            Code::InvalidInput,
            "the program is a generator function, which only makes an iterator when it is called; write an async \
             arrow function, `async () => { … }`, and use `await` in place of `yield`",
        ));
    }
    Ok(Call::Yes)
}

/// Awaited here, because `return` of a promise would ask its `then`, which the program may have replaced.
fn valued(source: &str, span: Span, call: Call) -> Reading {
    let input = unused_name(source, INPUT);
    let (input, close) = match call {
        Call::Yes => (input.as_str(), format!(")({input})")),
        Call::No => ("", ")".to_owned()),
    };
    let additions = vec![
        Addition::new(span.start as usize, "return await ("),
        Addition::new(span.end as usize, close),
    ];
    (wrap(source, input, "", additions, ""), call == Call::Yes)
}

/// `input` is the parameter's name, where there is one.
fn wrap(
    source: &str,
    input: &str,
    declared: &str,
    inside: Vec<Addition>,
    end: &str,
) -> Vec<Addition> {
    let head = format!("export default async ({input}) => {{{declared}");
    let mut additions = vec![Addition::new(0, head)];
    if source.starts_with("#!") {
        // A hashbang is only one at the very beginning; here it is a comment.
        additions.push(Addition::new(0, "//"));
    }
    additions.extend(inside);
    additions.push(Addition::new(source.len(), format!("{end}{TAIL}")));
    additions
}

/// A name of ours that the program does not use.
fn unused_name(source: &str, wanted: &str) -> String {
    let mut name = wanted.to_owned();
    while source.contains(&name) {
        name.push('$');
    }
    name
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
