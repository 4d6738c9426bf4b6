//! The loop budget compiled into a program: whatever can run again counts down, and asks the harness when nothing is left.
//!
//! Counted are rounds of loops, entries of functions, values of class fields, and entries of `catch` and `finally`. The
//! last two so that nothing of the program runs on once the harness has refused: its error cannot be caught, for the
//! `catch` that receives it asks again. Not counted is an arrow that is one expression without a call, as an argument or
//! as the value of a variable: it cannot call itself, and whoever calls it counts or has an end.
//!
//! The counter is a variable of the exported function that the program cannot name. It is a `var`: a `let` would be
//! checked for its initialisation at each use. Rounds are counted in a variable of their own function, which V8 keeps in
//! a register, and taken off the counter sixteen at a time: a third of the cost in an empty loop. What a function has not
//! taken off when it returns is not counted.
//!
//! The harness is asked by making a number of what it gave, and not by a call: V8 does not inline a function with a call
//! that never happened, and a small function then costs four times as much.
//!
//! It reads the finished module, whose depth `walk` has bounded.

use oxc_allocator::ArenaVec;
use oxc_ast::ast::{
    Argument, ArrowFunctionExpression, AwaitExpression, CallExpression, CatchClause,
    DoWhileStatement, Expression, ForInStatement, ForOfStatement, ForStatement, FunctionBody,
    NewExpression, Program, PropertyDefinition, Statement, StaticBlock, TaggedTemplateExpression,
    TryStatement, VariableDeclarator, WhileStatement,
};
use oxc_ast_visit::{Visit, walk};
use oxc_semantic::Scoping;
use oxc_span::{GetSpan, Span};

use super::edits::Edit;
use super::names::Names;

/// What counts, as edits of the module's text.
pub(super) fn edits(module: &Program<'_>, names: &Names) -> Vec<Edit> {
    let Names {
        more, left, rounds, ..
    } = names;
    let round = format!("if(++{rounds}>15){{{rounds}=0;if(({left}-=16)<0){left}=");
    let mut counter = Counter {
        begin: Check::new(format!("var {left}="), format!("+{more};")),
        entry: Check::new(format!("if(--{left}<0){left}="), format!("+{more};")),
        value: Check::new(format!("(--{left}<0&&({left}="), format!("+{more}),")),
        round: Check::new(round.clone(), format!("+{more};}}")),
        braced: Check::new(format!("{{{round}"), format!("+{more};}}")),
        rounds: format!("var {rounds}=0;"),
        outermost: true,
        bare: false,
        calls: false,
        loops: Loops::None,
        edits: Vec::new(),
    };
    counter.visit_program(module);
    counter.edits
}

/// Does the program mention what only the module may? Its text does not, so it would do so with escapes.
pub(super) fn is_named(scoping: &Scoping, names: &Names) -> bool {
    let declared = |name: &str| {
        scoping
            .symbol_ids()
            .filter(|symbol| scoping.symbol_name(*symbol) == name)
            .count()
    };
    let read = |name: &str| {
        let unresolved = scoping
            .root_unresolved_references()
            .keys()
            .any(|it| it.as_str() == name);
        unresolved
            || scoping.symbol_ids().any(|symbol| {
                scoping.symbol_name(symbol) == name
                    && !scoping.get_resolved_reference_ids(symbol).is_empty()
            })
    };
    declared(&names.more) != 1
        || declared(&names.left) + declared(&names.rounds) != 0
        || [&names.more, &names.left, &names.rounds]
            .into_iter()
            .any(|name| read(name))
}

/// A text to insert, of which the call is shown as the place.
struct Check {
    text: String,
    mark: usize,
}

impl Check {
    fn new(before: String, call: String) -> Self {
        Self {
            mark: before.len(),
            text: before + &call,
        }
    }
}

/// Whether the function that is being visited has loops of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loops {
    None,
    Some,
}

struct Counter {
    begin: Check,
    /// Statements, and before the value of an arrow or a field.
    entry: Check,
    value: Check,
    /// In a block, and before a statement that becomes one.
    round: Check,
    braced: Check,
    /// Declares what a function counts its rounds in.
    rounds: String,
    outermost: bool,
    /// The arrow that comes next is not counted unless it calls something.
    bare: bool,
    /// The function that is being visited calls something.
    calls: bool,
    loops: Loops,
    edits: Vec<Edit>,
}

fn insert(edits: &mut Vec<Edit>, at: u32, check: &Check) {
    edits.push(Edit::insert(at as usize, check.text.as_str()).marked(check.mark));
}

impl Counter {
    /// Behind the opening brace.
    fn block(&mut self, span: Span) {
        insert(&mut self.edits, span.start + 1, &self.entry);
    }

    /// What stands inside is visited between the two ends: of edits at one place the inner come first.
    fn round(&mut self, body: &Statement<'_>) {
        let span = body.span();
        self.loops = Loops::Some;
        if matches!(body, Statement::BlockStatement(_)) {
            insert(&mut self.edits, span.start + 1, &self.round);
            return self.visit_statement(body);
        }
        insert(&mut self.edits, span.start, &self.braced);
        self.visit_statement(body);
        self.edits.push(Edit::insert(span.end as usize, "}"));
    }

    /// Visits what has variables of its own, and declares the one for its rounds at `at` if it needs it.
    fn function(&mut self, at: u32, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.loops, Loops::None);
        visit(self);
        if self.loops == Loops::Some {
            self.edits
                .push(Edit::insert(at as usize, self.rounds.as_str()));
        }
        self.loops = outer;
    }

    fn value(&mut self, value: &Expression<'_>) {
        let span = value.span();
        insert(&mut self.edits, span.start, &self.value);
        self.visit_expression(value);
        self.edits.push(Edit::insert(span.end as usize, ")"));
    }
}

impl<'a> Visit<'a> for Counter {
    fn visit_function_body(&mut self, it: &FunctionBody<'a>) {
        if self.outermost {
            self.outermost = false;
            insert(&mut self.edits, it.span.start + 1, &self.begin);
        } else {
            self.block(it.span);
        }
        self.function(it.span.start + 1, |counter| {
            walk::walk_function_body(counter, it)
        });
    }

    fn visit_static_block(&mut self, it: &StaticBlock<'a>) {
        let start = it
            .body
            .first()
            .map_or(it.span.end - 1, |first| first.span().start);
        self.function(start, |counter| walk::walk_static_block(counter, it));
    }

    fn visit_arguments(&mut self, it: &ArenaVec<'a, Argument<'a>>) {
        for argument in it {
            self.bare = argument.as_expression().is_some_and(is_arrow);
            walk::walk_argument(self, argument);
        }
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        self.visit_binding_pattern(&it.id);
        if let Some(value) = &it.init {
            self.bare = is_arrow(value);
            self.visit_expression(value);
        }
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        let bare = std::mem::take(&mut self.bare);
        let outer = std::mem::replace(&mut self.calls, false);
        if let Some(value) = it.body.as_expression() {
            self.visit_formal_parameters(&it.params);
            let check = self.edits.len();
            self.value(value);
            if bare && !self.calls {
                self.edits.remove(check);
                self.edits.pop();
            }
        } else {
            walk::walk_arrow_function_expression(self, it);
        }
        self.calls |= outer;
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        self.calls = true;
        walk::walk_call_expression(self, it);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        self.calls = true;
        walk::walk_new_expression(self, it);
    }

    fn visit_tagged_template_expression(&mut self, it: &TaggedTemplateExpression<'a>) {
        self.calls = true;
        walk::walk_tagged_template_expression(self, it);
    }

    fn visit_await_expression(&mut self, it: &AwaitExpression<'a>) {
        self.calls = true;
        walk::walk_await_expression(self, it);
    }

    fn visit_while_statement(&mut self, it: &WhileStatement<'a>) {
        self.visit_expression(&it.test);
        self.round(&it.body);
    }

    fn visit_do_while_statement(&mut self, it: &DoWhileStatement<'a>) {
        self.round(&it.body);
        self.visit_expression(&it.test);
    }

    fn visit_for_statement(&mut self, it: &ForStatement<'a>) {
        if let Some(init) = &it.init {
            self.visit_for_statement_init(init);
        }
        for expression in it.test.iter().chain(&it.update) {
            self.visit_expression(expression);
        }
        self.round(&it.body);
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        self.visit_for_statement_left(&it.left);
        self.visit_expression(&it.right);
        self.round(&it.body);
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.visit_for_statement_left(&it.left);
        self.visit_expression(&it.right);
        self.round(&it.body);
    }

    fn visit_catch_clause(&mut self, it: &CatchClause<'a>) {
        self.block(it.body.span);
        walk::walk_catch_clause(self, it);
    }

    fn visit_try_statement(&mut self, it: &TryStatement<'a>) {
        if let Some(last) = &it.finalizer {
            self.block(last.span);
        }
        walk::walk_try_statement(self, it);
    }

    fn visit_property_definition(&mut self, it: &PropertyDefinition<'a>) {
        self.visit_property_key(&it.key);
        match &it.value {
            // A function takes its name from the field, which a comma would keep from it; and it counts by itself.
            Some(value) if is_definition(value) => self.visit_expression(value),
            Some(value) => self.value(value),
            None => {}
        }
    }
}

fn is_arrow(value: &Expression<'_>) -> bool {
    matches!(
        value.without_parentheses(),
        Expression::ArrowFunctionExpression(_)
    )
}

fn is_definition(value: &Expression<'_>) -> bool {
    matches!(
        value.without_parentheses(),
        Expression::ArrowFunctionExpression(_)
            | Expression::FunctionExpression(_)
            | Expression::ClassExpression(_)
    )
}
