//! `export` and `module.exports` as a program's way to name its entry: taken off its statements.
//!
//! What is exported as default is the entry. Without one, a function that is exported by name and that the program does
//! not call itself: the only one, or else the one named `main`, `run`, `execute` or `handler`, or else the last.

use oxc_ast::ast::{
    AssignmentExpression, AssignmentOperator, AssignmentTarget, Declaration,
    ExportDefaultDeclarationKind, Expression, MemberExpression, Program, Statement,
};
use oxc_span::{GetSpan, Span};

use super::edits::Edit;

const ENTRIES: [&str; 4] = ["main", "run", "execute", "handler"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    Default(String),
    Named(String),
}

impl Entry {
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Default(name) | Self::Named(name) => name,
        }
    }
}

/// What makes a program that exports one that does not.
#[derive(Debug)]
pub(super) struct Exports {
    pub(super) edits: Vec<Edit>,
    pub(super) entry: Option<Entry>,
}

/// A statement that loads another module.
#[derive(Debug)]
pub(super) struct Loads(pub(super) usize);

/// Reads the module declarations of a program's top level; `name` is for a default that has none.
pub(super) fn read(program: &Program<'_>, name: &str) -> Result<Exports, Loads> {
    let mut found = Found {
        free: name,
        edits: Vec::new(),
        default: None,
        named: Vec::new(),
    };
    for statement in &program.body {
        found.statement(statement)?;
    }
    let entry = match found.default {
        Some(name) => Some(Entry::Default(name)),
        None => chosen(&found.named).map(Entry::Named),
    };
    Ok(Exports {
        edits: found.edits,
        entry,
    })
}

/// Exported name and the program's own name for it.
type Named = (String, String);

fn chosen(named: &[Named]) -> Option<String> {
    let known = |wanted: &&str| named.iter().find(|(exported, _)| exported == wanted);
    ENTRIES
        .iter()
        .find_map(known)
        .or(named.last())
        .map(|(_, local)| local.clone())
}

struct Found<'n> {
    free: &'n str,
    edits: Vec<Edit>,
    default: Option<String>,
    named: Vec<Named>,
}

impl Found<'_> {
    fn statement(&mut self, statement: &Statement<'_>) -> Result<(), Loads> {
        let span = statement.span();
        match statement {
            Statement::ImportDeclaration(_)
            | Statement::ExportAllDeclaration(_)
            | Statement::ExportFromDeclaration(_)
            | Statement::TSExportAssignment(_)
            | Statement::TSNamespaceExportDeclaration(_) => Err(Loads(span.start as usize)),
            Statement::ExportDefaultDeclaration(it) => {
                self.default(span, &it.declaration);
                Ok(())
            }
            Statement::ExportDeclaration(it) => {
                self.remove(Span::new(span.start, it.declaration.span().start));
                self.declared(&it.declaration);
                Ok(())
            }
            Statement::ExportNamedDeclaration(it) => {
                self.drop(span);
                for specifier in &it.specifiers {
                    let local = specifier.local.name().to_string();
                    self.export(specifier.exported.name().as_str(), local);
                }
                Ok(())
            }
            Statement::ExpressionStatement(it) => {
                if let Expression::AssignmentExpression(assignment) = &it.expression {
                    self.assignment(span, assignment);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn default(&mut self, span: Span, declaration: &ExportDefaultDeclarationKind<'_>) {
        let inner = declaration.span();
        let before = Span::new(span.start, inner.start);
        let name = match declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(it) => it.name(),
            ExportDefaultDeclarationKind::ClassDeclaration(it) => it.name(),
            ExportDefaultDeclarationKind::Identifier(it) => {
                self.drop(span);
                self.default = Some(it.name.to_string());
                return;
            }
            _ => None,
        };
        if let Some(name) = name {
            self.remove(before);
            self.default = Some(name.to_string());
            return;
        }
        self.define(before, "=");
        if matches!(
            declaration,
            ExportDefaultDeclarationKind::FunctionDeclaration(_)
                | ExportDefaultDeclarationKind::ClassDeclaration(_)
        ) {
            self.edits.push(Edit::insert(inner.end as usize, ";"));
        }
    }

    /// `module.exports = …`, `module.exports.run = …`, `exports.default = …`.
    fn assignment(&mut self, span: Span, it: &AssignmentExpression<'_>) {
        let Some(exported) = target(&it.left).filter(|_| it.operator == AssignmentOperator::Assign)
        else {
            return;
        };
        if let Expression::Identifier(value) = &it.right {
            self.drop(span);
            self.export(&exported, value.name.to_string());
        } else if exported == "default" {
            self.define(it.left.span(), "");
        } else {
            let local = format!("{}_{exported}", self.free);
            self.replace(it.left.span(), format!("const {local}"));
            self.export(&exported, local);
        }
    }

    fn declared(&mut self, declaration: &Declaration<'_>) {
        match declaration {
            Declaration::VariableDeclaration(it) => {
                for name in it
                    .declarations
                    .iter()
                    .flat_map(|it| it.id.get_binding_identifiers())
                {
                    self.export(&name.name, name.name.to_string());
                }
            }
            other => {
                if let Some(id) = other.id() {
                    self.export(&id.name, id.name.to_string());
                }
            }
        }
    }

    fn export(&mut self, exported: &str, local: String) {
        if exported == "default" {
            self.default = Some(local);
        } else {
            self.named.push((exported.to_owned(), local));
        }
    }

    fn define(&mut self, span: Span, equals: &str) {
        let name = if self.default.is_none() {
            self.free.to_owned()
        } else {
            // A second default replaces the first.
            format!("{}_{}", self.free, self.edits.len())
        };
        self.replace(span, format!("const {name}{equals}"));
        self.default = Some(name);
    }

    fn drop(&mut self, span: Span) {
        self.replace(span, ";".to_owned());
    }

    fn remove(&mut self, span: Span) {
        self.replace(span, String::new());
    }

    fn replace(&mut self, span: Span, text: String) {
        self.edits
            .push(Edit::replace(span.start as usize, span.end as usize, text));
    }
}

/// The exported name that is assigned to; `default` for `module.exports` itself.
fn target(target: &AssignmentTarget<'_>) -> Option<String> {
    let member = target.as_member_expression()?;
    let name = property(member)?;
    if is_exports(member, name) {
        return Some("default".to_owned());
    }
    match member.object() {
        Expression::Identifier(it) if it.name == "exports" => Some(name.to_owned()),
        Expression::StaticMemberExpression(it) => {
            (it.property.name == "exports" && is_module(&it.object)).then(|| name.to_owned())
        }
        _ => None,
    }
}

fn is_exports(member: &MemberExpression<'_>, name: &str) -> bool {
    name == "exports" && is_module(member.object())
}

fn is_module(object: &Expression<'_>) -> bool {
    matches!(object, Expression::Identifier(it) if it.name == "module")
}

fn property<'p>(member: &'p MemberExpression<'_>) -> Option<&'p str> {
    match member {
        MemberExpression::StaticMemberExpression(it) => Some(it.property.name.as_str()),
        _ => None,
    }
}
