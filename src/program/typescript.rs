//! TypeScript without its types, by taking out the ranges the tree says are types. Nothing else moves.
//!
//! What a type was becomes a blank, and a statement or class member that was only type becomes `;`. So does a type at
//! the end of a statement that has no semicolon: the line break alone might no longer end it.
//!
//! Enums and parameter properties become the JavaScript that they mean. Namespaces that hold values are refused.

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    Class, Declaration, ExportDefaultDeclarationKind, Expression, FormalParameter, Function,
    FunctionType, ImportOrExportKind, Program, Statement, TSAsExpression, TSEnumDeclaration,
    TSInstantiationExpression, TSNamespaceDeclaration, TSNamespaceDeclarationBody,
    TSNonNullExpression, TSSatisfiesExpression, TSThisParameter, TSType, TSTypeAnnotation,
    TSTypeAssertion, TSTypeParameterDeclaration, TSTypeParameterInstantiation, VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};

use crate::error::{Code, Error};

use super::depth::too_deep;
use super::edits::{Draft, Edit};
use super::enums;
use super::forms::within;
use super::members;
use super::syntax::{Dialect, Failed, Fault, parse, point};
use super::tokens::Tokens;

/// Levels of expressions, as in `walk`; this visitor's frames are larger.
pub(super) const LIMIT: u32 = 1000;

/// Reads the text as statements.
pub(super) fn erase<'s>(allocator: &Allocator, draft: &Draft<'s>) -> Result<Draft<'s>, Failed> {
    let program = parse(allocator, &draft.text, Dialect::TypeScript).map_err(Failed::Syntax)?;
    erased(&program, draft)
}

/// Reads a text that was put in parentheses as one expression.
pub(super) fn erase_expression<'s>(
    allocator: &Allocator,
    enclosed: &Draft<'s>,
) -> Result<Draft<'s>, Failed> {
    let program = parse(allocator, &enclosed.text, Dialect::TypeScript).map_err(Failed::Syntax)?;
    if within(&program).is_none() {
        return Err(Failed::Syntax(Fault::new(0, "this is no expression")));
    }
    erased(&program, enclosed)
}

fn erased<'s>(program: &Program<'_>, draft: &Draft<'s>) -> Result<Draft<'s>, Failed> {
    let mut eraser = Eraser {
        text: &draft.text,
        edits: Vec::new(),
        end: 0,
        depth: 0,
        refused: None,
    };
    eraser.visit_program(program);
    match eraser.refused {
        None => Ok(draft.apply(eraser.edits)?),
        Some(Refused::TooDeep) => Err(too_deep().into()),
        Some(Refused::Namespace(at)) => Err(Error::new(
            Code::InvalidInput,
            format!(
                "TypeScript namespaces that hold values are not supported, at {}Write an object or plain functions instead.",
                point(draft.model, draft.origin(at))
            ),
        )
        .into()),
    }
}

pub(super) enum Refused {
    TooDeep,
    Namespace(usize),
}

pub(super) struct Eraser<'t> {
    pub(super) text: &'t str,
    pub(super) edits: Vec<Edit>,
    /// Where the statement or class member ends that is being visited.
    pub(super) end: u32,
    depth: u32,
    refused: Option<Refused>,
}

impl<'t> Eraser<'t> {
    pub(super) fn replace(&mut self, start: u32, end: u32, text: impl Into<String>) {
        self.edits
            .push(Edit::replace(start as usize, end as usize, text));
    }

    pub(super) fn blank(&mut self, span: Span) {
        self.replace(span.start, span.end, " ");
    }

    pub(super) fn only_types(&mut self, span: Span) {
        self.replace(span.start, span.end, ";");
    }

    /// What follows a value and is no part of it.
    pub(super) fn tail(&mut self, start: u32, end: u32) {
        let text = if end == self.end { ";" } else { " " };
        self.replace(start, end, text);
    }

    /// The tokens of a range that begins and ends between tokens, with their places.
    pub(super) fn tokens(&self, start: u32, end: u32) -> Vec<(u32, &'t str)> {
        let text = self
            .text
            .get(start as usize..end as usize)
            .unwrap_or_default();
        Tokens::new(text)
            .filter_map(|token| Some((start + u32::try_from(token.start).ok()?, token.text)))
            .collect()
    }

    pub(super) fn take_out(&mut self, (start, text): (u32, &str)) {
        self.replace(start, start + u32::try_from(text.len()).unwrap_or(0), " ");
    }

    pub(super) fn annotation(&mut self, it: Option<&TSTypeAnnotation<'_>>) {
        if let Some(it) = it {
            self.blank(it.span);
        }
    }

    /// A declaration, within `whole`, the statement that it is or that exports it.
    fn declaration(&mut self, it: &Declaration<'_>, whole: Span) -> Kept {
        let only_types = match it {
            Declaration::TSTypeAliasDeclaration(_)
            | Declaration::TSInterfaceDeclaration(_)
            | Declaration::TSGlobalDeclaration(_)
            | Declaration::TSExternalModuleDeclaration(_) => true,
            Declaration::TSNamespaceDeclaration(it) => {
                let types = it.declare || holds_no_values(it);
                if !types {
                    self.refused
                        .get_or_insert(Refused::Namespace(it.span.start as usize));
                }
                types
            }
            Declaration::TSEnumDeclaration(it) => it.declare,
            Declaration::VariableDeclaration(it) => it.declare,
            Declaration::FunctionDeclaration(it) => is_signature(it),
            Declaration::ClassDeclaration(it) => it.declare,
            // Left as it is, and refused as an import.
            Declaration::TSImportEqualsDeclaration(_) => return Kept::No,
        };
        if only_types {
            self.only_types(whole);
            return Kept::No;
        }
        Kept::Yes
    }

    /// Whether there is anything left to visit.
    fn statement(&mut self, it: &Statement<'_>) -> Kept {
        let span = it.span();
        if let Some(declaration) = it.as_declaration() {
            return self.declaration(declaration, span);
        }
        let kind = match it {
            Statement::ExportDeclaration(it) => return self.declaration(&it.declaration, span),
            Statement::ImportDeclaration(it) => it.import_kind,
            Statement::ExportNamedDeclaration(it) => it.export_kind,
            Statement::ExportFromDeclaration(it) => it.export_kind,
            Statement::ExportAllDeclaration(it) => it.export_kind,
            Statement::ExportDefaultDeclaration(it) => match &it.declaration {
                ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => ImportOrExportKind::Type,
                ExportDefaultDeclarationKind::FunctionDeclaration(it) if is_signature(it) => {
                    ImportOrExportKind::Type
                }
                _ => ImportOrExportKind::Value,
            },
            Statement::TSExportAssignment(it) => {
                self.replace(span.start, it.expression.span().start, "export default ");
                ImportOrExportKind::Value
            }
            _ => ImportOrExportKind::Value,
        };
        if kind == ImportOrExportKind::Type {
            self.only_types(span);
            return Kept::No;
        }
        Kept::Yes
    }
}

#[derive(PartialEq, Eq)]
enum Kept {
    Yes,
    No,
}

fn is_signature(it: &Function<'_>) -> bool {
    it.declare || it.r#type == FunctionType::TSDeclareFunction || it.body.is_none()
}

fn holds_no_values(it: &TSNamespaceDeclaration<'_>) -> bool {
    let mut inner = it;
    let block = loop {
        match &inner.body {
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(it) => inner = it,
            TSNamespaceDeclarationBody::TSModuleBlock(block) => break block,
        }
    };
    block.body.iter().all(|statement| {
        let exported = match statement {
            Statement::ExportDeclaration(it) => Some(&it.declaration),
            _ => None,
        };
        matches!(
            statement.as_declaration().or(exported),
            Some(Declaration::TSTypeAliasDeclaration(_) | Declaration::TSInterfaceDeclaration(_))
        )
    })
}

impl<'a> Visit<'a> for Eraser<'_> {
    fn visit_statement(&mut self, it: &Statement<'a>) {
        if self.statement(it) == Kept::No {
            return;
        }
        let outer = std::mem::replace(&mut self.end, it.span().end);
        walk::walk_statement(self, it);
        self.end = outer;
    }

    fn visit_expression(&mut self, it: &Expression<'a>) {
        if self.depth >= LIMIT {
            self.refused.get_or_insert(Refused::TooDeep);
            return;
        }
        self.depth += 1;
        walk::walk_expression(self, it);
        self.depth -= 1;
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        enums::write(self, it);
    }

    fn visit_ts_type(&mut self, _: &TSType<'a>) {}

    fn visit_ts_type_annotation(&mut self, it: &TSTypeAnnotation<'a>) {
        self.blank(it.span);
    }

    fn visit_ts_type_parameter_declaration(&mut self, it: &TSTypeParameterDeclaration<'a>) {
        self.blank(it.span);
    }

    fn visit_ts_type_parameter_instantiation(&mut self, it: &TSTypeParameterInstantiation<'a>) {
        self.blank(it.span);
    }

    fn visit_ts_this_parameter(&mut self, _: &TSThisParameter<'a>) {}

    fn visit_ts_as_expression(&mut self, it: &TSAsExpression<'a>) {
        self.visit_expression(&it.expression);
        self.tail(it.expression.span().end, it.span.end);
    }

    fn visit_ts_satisfies_expression(&mut self, it: &TSSatisfiesExpression<'a>) {
        self.visit_expression(&it.expression);
        self.tail(it.expression.span().end, it.span.end);
    }

    fn visit_ts_instantiation_expression(&mut self, it: &TSInstantiationExpression<'a>) {
        self.visit_expression(&it.expression);
        self.tail(it.expression.span().end, it.span.end);
    }

    fn visit_ts_non_null_expression(&mut self, it: &TSNonNullExpression<'a>) {
        self.visit_expression(&it.expression);
        self.replace(it.expression.span().end, it.span.end, " ");
    }

    fn visit_ts_type_assertion(&mut self, it: &TSTypeAssertion<'a>) {
        self.replace(it.span.start, it.expression.span().start, " ");
        self.visit_expression(&it.expression);
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        self.visit_binding_pattern(&it.id);
        match &it.type_annotation {
            Some(annotation) if it.definite => {
                self.replace(it.id.span().end, annotation.span.end, " ");
            }
            other => self.annotation(other.as_deref()),
        }
        if let Some(init) = &it.init {
            self.visit_expression(init);
        }
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        let start = it
            .decorators
            .last()
            .map_or(it.span.start, |last| last.span.end);
        for token in self.tokens(start, it.pattern.span().start) {
            self.take_out(token);
        }
        self.visit_binding_pattern(&it.pattern);
        let after = it.pattern.span().end;
        match &it.type_annotation {
            Some(annotation) if it.optional => self.replace(after, annotation.span.end, " "),
            None if it.optional => self.replace(after, it.span.end, " "),
            other => self.annotation(other.as_deref()),
        }
        if let Some(initializer) = &it.initializer {
            self.visit_expression(initializer);
        }
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: oxc_semantic::ScopeFlags) {
        if let Some(this) = &it.this_param {
            let rest = it.params.rest.as_ref().map(|rest| rest.span.start);
            let next = it
                .params
                .items
                .first()
                .map(|first| first.span.start)
                .or(rest);
            self.replace(this.span.start, next.unwrap_or(it.params.span.end - 1), " ");
        }
        walk::walk_function(self, it, flags);
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        members::class(self, it);
    }
}
