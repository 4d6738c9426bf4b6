//! One walk over the finished tree: nothing may load a module, nothing may be what V8 does not know, and nothing may be
//! so long a chain that a visitor's stack ends.
//!
//! It looks at the tree and never at the text: `"import('x')"` in a string is data. It does not judge names;
//! `require` is a variable that nobody declared.

use oxc_ast::ast::{
    AccessorProperty, CallExpression, Decorator, Expression, ImportExpression, ImportMeta, Program,
    Statement, UnaryExpression, UnaryOperator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;

use crate::error::{Code, Error};

use super::depth::too_deep;
use super::syntax::{Fault, point};

/// Levels of expressions. The second pass needs 0.16 KB of wasm stack for each, so this is a third of it.
const LIMIT: u32 = 2000;

/// Snippets beyond these are found when they are run.
const MAX_RUNS: usize = 100;

/// What the walk stopped at, at a byte of the text that was read.
#[derive(Debug)]
pub(super) enum Found {
    Import(usize),
    Unknown(Fault),
    TooDeep,
}

impl Found {
    pub(super) fn into_error(self, source: &str, origin: impl Fn(usize) -> usize) -> Error {
        match self {
            Self::Import(offset) => no_import(source, origin(offset)),
            Self::Unknown(fault) => fault.moved(origin).into_error(source),
            Self::TooDeep => too_deep(),
        }
    }
}

pub(super) fn no_import(source: &str, offset: usize) -> Error {
    Error::new(
        Code::InvalidInput,
        format!(
            "`import` is not available (static, dynamic or import.meta) at {}Leave it out: connectors are globals, \
             `codemode.search(\"…\")` finds their methods, and standard JavaScript is there without importing.",
            point(source, offset)
        ),
    )
}

pub(super) fn no_export(source: &str, offset: usize) -> Error {
    Error::new(
        Code::InvalidInput,
        format!(
            "`export` is not accepted at {}Write the program as an async arrow function, `async () => {{ … }}`, or as \
             statements with `return`.",
            point(source, offset)
        ),
    )
}

/// Refuses the module declarations of a program's top level; deeper ones are syntax errors.
pub(super) fn check_statements(program: &Program<'_>, source: &str) -> Result<(), Error> {
    for statement in &program.body {
        if let Statement::ImportDeclaration(declaration) = statement {
            return Err(no_import(source, declaration.span.start as usize));
        }
        if statement.as_module_declaration().is_some() {
            return Err(no_export(source, statement.span().start as usize));
        }
    }
    Ok(())
}

/// Gives the names of snippets that are run by a name written out.
pub(super) fn check(program: &Program<'_>) -> Result<Vec<String>, Found> {
    let mut walker = Walker {
        text: program.source_text,
        depth: 0,
        found: None,
        runs: Vec::new(),
    };
    walker.visit_program(program);
    walker.found.map_or(Ok(walker.runs), Err)
}

/// `name` of `codemode.run("name", …)`. One that is computed is found when it is run.
fn snippet_run<'a>(call: &CallExpression<'a>) -> Option<&'a str> {
    let callee = call.callee.as_member_expression()?;
    if !callee.object().is_specific_id("codemode") || callee.static_property_name()? != "run" {
        return None;
    }
    match call.arguments.first()?.as_expression()? {
        Expression::StringLiteral(text) => Some(text.value.as_str()),
        _ => None,
    }
}

struct Walker<'a> {
    text: &'a str,
    depth: u32,
    found: Option<Found>,
    runs: Vec<String>,
}

impl Walker<'_> {
    fn find(&mut self, found: Found) {
        self.found.get_or_insert(found);
    }
}

impl<'a> Visit<'a> for Walker<'a> {
    fn visit_expression(&mut self, it: &Expression<'a>) {
        if self.depth >= LIMIT {
            self.find(Found::TooDeep);
            return;
        }
        self.depth += 1;
        walk::walk_expression(self, it);
        self.depth -= 1;
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'a>) {
        // Operators by the grammar, but V8 takes them for a comment of the web's early days and refuses the module.
        let begin = (it.span.start as usize).saturating_sub(1);
        if it.operator == UnaryOperator::LogicalNot
            && self
                .text
                .get(begin..)
                .is_some_and(|t| t.starts_with("<!--"))
        {
            self.find(Found::Unknown(Fault::new(
                begin,
                "`<!--` cannot stand in a module",
            )));
        }
        walk::walk_unary_expression(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        if let Some(name) = snippet_run(it)
            && self.runs.len() < MAX_RUNS
            && !self.runs.iter().any(|known| known == name)
        {
            self.runs.push(name.to_owned());
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        self.find(Found::Import(it.span.start as usize));
    }

    fn visit_import_meta(&mut self, it: &ImportMeta) {
        self.find(Found::Import(it.span.start as usize));
    }

    fn visit_decorator(&mut self, it: &Decorator<'a>) {
        self.find(Found::Unknown(Fault::new(
            it.span.start as usize,
            "decorators are not part of JavaScript",
        )));
    }

    fn visit_accessor_property(&mut self, it: &AccessorProperty<'a>) {
        self.find(Found::Unknown(Fault::new(
            it.span.start as usize,
            "`accessor` fields are not part of JavaScript",
        )));
    }
}
