//! The completion value of a list of statements, as edits to the text.
//!
//! A last expression is simply returned. A last `if`, loop, `switch`, `try` or block keeps its value in a variable:
//! every expression statement in it is stored there, and every inner statement that has a value of its own first clears
//! it, as the language says. Values that a `finally` would give by leaving early are not followed.

use oxc_ast::ast::{Expression, Statement, TryStatement};
use oxc_span::{GetSpan, Span};

use super::edits::Edit;

#[derive(Debug)]
pub(super) struct Keep<'v> {
    variable: &'v str,
    edits: Vec<Edit>,
}

impl<'v> Keep<'v> {
    /// Edits that leave the completion value of these statements in `variable`.
    pub(super) fn value(statements: &[&Statement<'_>], variable: &'v str) -> Vec<Edit> {
        let mut keep = Self {
            variable,
            edits: Vec::new(),
        };
        for statement in statements {
            keep.statement(statement);
        }
        keep.edits
    }

    fn add(&mut self, at: u32, text: impl Into<String>) {
        self.edits.push(Edit::insert(at as usize, text));
    }

    fn list(&mut self, statements: &[Statement<'_>]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement<'_>) {
        match statement {
            Statement::ExpressionStatement(it) => self.expression(&it.expression),
            Statement::BlockStatement(it) => self.list(&it.body),
            _ if clears(statement) => {
                let span = statement.span();
                self.add(span.start, format!("{{{}=void 0;", self.variable));
                self.inside(statement);
                self.add(span.end, "}");
            }
            Statement::LabeledStatement(it) => self.statement(&it.body),
            // Declarations and jumps have no value, and module code has no `with`.
            _ => {}
        }
    }

    /// The parts of a statement that was cleared already.
    fn inside(&mut self, statement: &Statement<'_>) {
        match statement {
            Statement::IfStatement(it) => {
                self.statement(&it.consequent);
                if let Some(alternate) = &it.alternate {
                    self.branch(alternate);
                }
            }
            Statement::DoWhileStatement(it) => self.statement(&it.body),
            Statement::WhileStatement(it) => self.statement(&it.body),
            Statement::ForStatement(it) => self.statement(&it.body),
            Statement::ForInStatement(it) => self.statement(&it.body),
            Statement::ForOfStatement(it) => self.statement(&it.body),
            Statement::SwitchStatement(it) => {
                for case in &it.cases {
                    self.list(&case.consequent);
                }
            }
            Statement::TryStatement(it) => self.attempt(it),
            // A brace between a label and its loop would take the loop away from `continue`.
            Statement::LabeledStatement(it) => self.inside(&it.body),
            _ => self.statement(statement),
        }
    }

    /// `else if` stays one chain; nothing ran before it that had to be cleared.
    fn branch(&mut self, statement: &Statement<'_>) {
        if matches!(statement, Statement::IfStatement(_)) {
            self.inside(statement);
        } else {
            self.statement(statement);
        }
    }

    fn attempt(&mut self, it: &TryStatement<'_>) {
        self.list(&it.block.body);
        if let Some(handler) = &it.handler {
            self.add(
                handler.body.span.start + 1,
                format!("{}=void 0;", self.variable),
            );
            self.list(&handler.body.body);
        }
    }

    fn expression(&mut self, expression: &Expression<'_>) {
        let Span { start, end, .. } = expression.span();
        self.add(start, format!("{}=(", self.variable));
        self.add(end, ")");
    }
}

/// Has this statement a value of its own, whatever stands in it? A label has none: what it stands before decides.
fn clears(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::IfStatement(_)
        | Statement::DoWhileStatement(_)
        | Statement::WhileStatement(_)
        | Statement::ForStatement(_)
        | Statement::ForInStatement(_)
        | Statement::ForOfStatement(_)
        | Statement::SwitchStatement(_)
        | Statement::TryStatement(_) => true,
        Statement::LabeledStatement(it) => clears(&it.body),
        _ => false,
    }
}

/// Does this statement certainly replace the value of those before it, or end the program? A block with a label may be
/// left before it has a value.
pub(super) fn has_value(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ExpressionStatement(_)
        | Statement::ReturnStatement(_)
        | Statement::ThrowStatement(_) => true,
        Statement::BlockStatement(it) => it.body.iter().any(has_value),
        _ => clears(statement),
    }
}

/// May this statement replace the value of those before it, or not?
pub(super) fn is_uncertain(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::LabeledStatement(_) => !clears(statement),
        Statement::BlockStatement(it) => it.body.iter().any(is_uncertain),
        _ => false,
    }
}
