//! One walk over a tree: nothing may load a module, nothing may be what V8 does not know, and nothing may be so long a
//! chain that a visitor's stack ends.
//!
//! It looks at the tree and never at the text: `"import('x')"` in a string is data. Of names it judges one, `require`
//! that nobody declared, and leaves the last word on that to whoever knows the scopes.

use oxc_ast::ast::{
    AccessorProperty, BinaryExpression, BinaryOperator, CallExpression, Decorator, Expression,
    ImportExpression, ImportMeta, Program, UnaryExpression, UnaryOperator,
};
use oxc_ast_visit::{Visit, walk};

use crate::error::Error;

use super::depth::too_deep;
use super::edits::Draft;
use super::refusals::no_import;
use super::syntax::Fault;

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
    pub(super) fn into_error(self, draft: &Draft<'_>, namespaces: &[String]) -> Error {
        match self {
            Self::Import(offset) => no_import("import", draft, offset, namespaces),
            Self::Unknown(fault) => fault.into_error(draft),
            Self::TooDeep => too_deep(),
        }
    }
}

/// What else the walk noticed.
#[derive(Debug, Default)]
pub(super) struct Noticed {
    /// The first call of something named `require`.
    pub(super) require: Option<usize>,
    /// `a<b>(c)`: as JavaScript, two comparisons; as TypeScript, a call.
    pub(super) type_arguments: bool,
    /// Names of snippets that are run by a name written out.
    pub(super) runs: Vec<String>,
}

pub(super) fn check(program: &Program<'_>) -> Result<Noticed, Found> {
    let mut walker = Walker {
        text: program.source_text,
        depth: 0,
        found: None,
        noticed: Noticed::default(),
    };
    walker.visit_program(program);
    walker.found.map_or(Ok(walker.noticed), Err)
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
    noticed: Noticed,
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
        if matches!(&it.callee, Expression::Identifier(name) if name.name == "require") {
            self.noticed.require.get_or_insert(it.span.start as usize);
        }
        let runs = &mut self.noticed.runs;
        if let Some(name) = snippet_run(it)
            && runs.len() < MAX_RUNS
            && !runs.iter().any(|known| known == name)
        {
            runs.push(name.to_owned());
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_binary_expression(&mut self, it: &BinaryExpression<'a>) {
        let less = matches!(&it.left, Expression::BinaryExpression(left) if left.operator == BinaryOperator::LessThan);
        self.noticed.type_arguments |= less
            && it.operator == BinaryOperator::GreaterThan
            && matches!(it.right, Expression::ParenthesizedExpression(_));
        walk::walk_binary_expression(self, it);
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
