//! An enum as the object that it means: `var Name = (…)(Name ?? {})`, a declaration that may be repeated.
//!
//! Members count up, initialisers stay where the model wrote them and may name earlier members, and numbers lead back to
//! their names.

use std::collections::BTreeSet;

use oxc_ast::ast::{
    Expression, IdentifierReference, TSEnumDeclaration, TSEnumMember, TSEnumMemberName,
};
use oxc_ast_visit::{Visit, walk};
use oxc_span::GetSpan;

use super::edits::Edit;
use super::names::unused;
use super::typescript::{Eraser, LIMIT};

pub(super) fn write(eraser: &mut Eraser<'_>, it: &TSEnumDeclaration<'_>) {
    let name = it.id.name.as_str();
    let value = unused(eraser.text, "value$");
    let mut mentioned = Mentioned::default();
    for member in &it.body.members {
        if let Some(initializer) = &member.initializer {
            mentioned.visit_expression(initializer);
        }
    }
    let mut text = format!("var {name}=(({name})=>{{let {value}=-1;");
    let mut from = it.span.start;
    for member in &it.body.members {
        let key = key(member);
        let quoted = serde_json::Value::from(key.as_str()).to_string();
        text += &format!("{name}[{quoted}]={value}=");
        match &member.initializer {
            Some(initializer) => {
                let span = initializer.span();
                eraser.replace(from, span.start, std::mem::take(&mut text) + "(");
                eraser.visit_expression(initializer);
                eraser.edits.push(Edit::insert(span.end as usize, ")"));
                from = span.end;
            }
            None => text += &format!("{value}+1"),
        }
        text += &format!(";if(typeof {value}===\"number\"){name}[{value}]={quoted};");
        if mentioned.names.contains(&key) {
            text += &format!("const {key}={name}[{quoted}];");
        }
    }
    text += &format!("return {name}}})({name}??{{}});");
    eraser.replace(from, it.span.end, text);
}

fn key(member: &TSEnumMember<'_>) -> String {
    match &member.id {
        TSEnumMemberName::Identifier(it) => it.name.to_string(),
        TSEnumMemberName::String(it) | TSEnumMemberName::ComputedString(it) => it.value.to_string(),
        TSEnumMemberName::ComputedTemplateString(it) => it
            .quasis
            .iter()
            .map(|quasi| {
                quasi
                    .value
                    .cooked
                    .as_ref()
                    .map_or("", |cooked| cooked.as_str())
            })
            .collect(),
    }
}

/// The names that initialisers mention; only these can be members that need a variable.
#[derive(Default)]
struct Mentioned {
    names: BTreeSet<String>,
    depth: u32,
}

impl<'a> Visit<'a> for Mentioned {
    /// Deeper ones are refused when they are visited for their types.
    fn visit_expression(&mut self, it: &Expression<'a>) {
        if self.depth < LIMIT {
            self.depth += 1;
            walk::walk_expression(self, it);
            self.depth -= 1;
        }
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.names.insert(it.name.to_string());
    }
}
