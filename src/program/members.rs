//! Classes of TypeScript: modifiers, members that are only type, and parameters that are properties.

use oxc_ast::ast::{
    BindingPattern, Class, ClassElement, Expression, FormalParameter, MethodDefinition,
    MethodDefinitionKind, MethodDefinitionType, PropertyDefinition, PropertyDefinitionType,
    Statement,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan, Span};

use super::edits::Edit;
use super::typescript::Eraser;

const MODIFIERS: [&str; 7] = [
    "public",
    "private",
    "protected",
    "readonly",
    "override",
    "abstract",
    "declare",
];

pub(super) fn class(eraser: &mut Eraser<'_>, it: &Class<'_>) {
    eraser.visit_decorators(&it.decorators);
    let start = it
        .decorators
        .last()
        .map_or(it.span.start, |last| last.span.end);
    let name = it
        .id
        .as_ref()
        .map_or(it.body.span.start, |id| id.span.start);
    for token in eraser.tokens(start, name) {
        if token.1 == "class" {
            break;
        }
        eraser.take_out(token);
    }
    let mut head = it.id.as_ref().map_or(start, |id| id.span.end);
    if let Some(parameters) = &it.type_parameters {
        eraser.blank(parameters.span);
        head = parameters.span.end;
    }
    if let Some(heritage) = &it.heritage {
        eraser.visit_expression(&heritage.expression);
        head = heritage.expression.span().end;
        if let Some(arguments) = &heritage.type_arguments {
            eraser.blank(arguments.span);
            head = arguments.span.end;
        }
    }
    if let Some(first) = it.implements.first() {
        // The word itself is the last before the first of its types.
        if let Some((word, _)) = eraser.tokens(head, first.span.start).pop() {
            eraser.replace(word, it.body.span.start, " ");
        }
    }
    for element in &it.body.body {
        member(eraser, element, it.heritage.is_some());
    }
}

fn member(eraser: &mut Eraser<'_>, element: &ClassElement<'_>, derived: bool) {
    let only_types = match element {
        ClassElement::TSIndexSignature(_) => true,
        ClassElement::MethodDefinition(it) => {
            it.r#type == MethodDefinitionType::TSAbstractMethodDefinition || it.value.body.is_none()
        }
        ClassElement::PropertyDefinition(it) => {
            it.declare || it.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition
        }
        ClassElement::StaticBlock(_) | ClassElement::AccessorProperty(_) => false,
    };
    let span = element.span();
    if only_types {
        return eraser.only_types(span);
    }
    let outer = std::mem::replace(&mut eraser.end, span.end);
    match element {
        ClassElement::MethodDefinition(it) => method(eraser, it, derived),
        ClassElement::PropertyDefinition(it) => property(eraser, it),
        other => walk::walk_class_element(eraser, other),
    }
    eraser.end = outer;
}

/// `;` in place of the first word of a member: without it the line before might go on.
fn modifiers(eraser: &mut Eraser<'_>, member: Span, key: u32) {
    for (start, text) in eraser.tokens(member.start, key) {
        if MODIFIERS.contains(&text) {
            let blank = if start == member.start { ";" } else { " " };
            let end = start + u32::try_from(text.len()).unwrap_or(0);
            eraser.replace(start, end, blank);
        }
    }
}

/// The sign that makes a member optional or definite.
fn sign(eraser: &mut Eraser<'_>, start: u32, end: u32) {
    for token in eraser.tokens(start, end) {
        if matches!(token.1, "?" | "!") {
            eraser.take_out(token);
        }
    }
}

fn method(eraser: &mut Eraser<'_>, it: &MethodDefinition<'_>, derived: bool) {
    eraser.visit_decorators(&it.decorators);
    let key = it.key.span();
    modifiers(eraser, it.span, key.start);
    eraser.visit_property_key(&it.key);
    if it.optional {
        sign(eraser, key.end, it.value.span.start);
    }
    if it.kind == MethodDefinitionKind::Constructor {
        parameter_properties(eraser, it, derived);
    }
    eraser.visit_function(&it.value, oxc_semantic::ScopeFlags::empty());
}

fn property(eraser: &mut Eraser<'_>, it: &PropertyDefinition<'_>) {
    eraser.visit_decorators(&it.decorators);
    let key = it.key.span();
    modifiers(eraser, it.span, key.start);
    eraser.visit_property_key(&it.key);
    let annotation = it
        .type_annotation
        .as_ref()
        .map(|annotation| annotation.span);
    if it.optional || it.definite {
        let value = it.value.as_ref().map(|value| value.span().start);
        let end = annotation.map(|span| span.start).or(value);
        sign(eraser, key.end, end.unwrap_or(it.span.end));
    }
    if let Some(span) = annotation {
        eraser.tail(span.start, span.end);
    }
    if let Some(value) = &it.value {
        eraser.visit_expression(value);
    }
}

/// `constructor(private name: string)` sets `this.name`: at once, or when `super` has made the object.
fn parameter_properties(eraser: &mut Eraser<'_>, it: &MethodDefinition<'_>, derived: bool) {
    let is_property =
        |it: &&FormalParameter<'_>| it.accessibility.is_some() || it.readonly || it.r#override;
    let text: String = it
        .value
        .params
        .items
        .iter()
        .filter(is_property)
        .filter_map(|parameter| match &parameter.pattern {
            BindingPattern::BindingIdentifier(id) => Some(format!("this.{0}={0};", id.name)),
            _ => None,
        })
        .collect();
    let Some(body) = it.value.body.as_ref().filter(|_| !text.is_empty()) else {
        return;
    };
    let after_super = body
        .statements
        .iter()
        .find(|statement| calls_super(statement))
        .map(|statement| statement.span().end);
    let at = match after_super {
        Some(end) if derived => end,
        _ => body.span.start + 1,
    };
    eraser
        .edits
        .push(Edit::insert(at as usize, format!(";{text}")));
}

fn calls_super(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::ExpressionStatement(it) => {
            matches!(&it.expression, Expression::CallExpression(call) if matches!(call.callee, Expression::Super(_)))
        }
        _ => false,
    }
}
