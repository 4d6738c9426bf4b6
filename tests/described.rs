//! Every fifth operation of GitHub's document against its description: each property of the input, however deep, and of the
//! first level of the result is there with a type. The schemas are walked here, by nothing of the catalogue's.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::collections::{BTreeMap, BTreeSet};

use codemode::catalog::{Catalogue, Connector, Format, Lister, Memory, derive};
use oxc_allocator::Allocator;
use oxc_ast::ast::{Declaration, Statement, TSSignature, TSType, TSTypeName};
use oxc_parser::Parser;
use oxc_span::SourceType;
use serde_json::Value;

const DOCUMENT: &str = "node_modules/@octokit/openapi/generated/api.github.com.json";
/// Properties inside one another; recursive schemas have no end.
const DEPTH: usize = 8;

type Types<'t> = BTreeMap<&'t str, &'t TSType<'t>>;

/// The members of everything that a type may be, and whether it may be anything.
fn members<'t>(
    ty: &'t TSType<'t>,
    types: &Types<'t>,
    found: &mut BTreeMap<String, Vec<&'t TSType<'t>>>,
    depth: usize,
) {
    if depth > 40 {
        return;
    }
    match ty {
        TSType::TSTypeLiteral(literal) => {
            for member in &literal.members {
                if let TSSignature::TSPropertySignature(property) = member {
                    let name = property.key.static_name().unwrap().to_string();
                    let ty = &property.type_annotation.as_ref().unwrap().type_annotation;
                    found.entry(name).or_default().push(ty);
                }
            }
        }
        TSType::TSUnionType(union) => union
            .types
            .iter()
            .for_each(|ty| members(ty, types, found, depth + 1)),
        TSType::TSIntersectionType(all) => all
            .types
            .iter()
            .for_each(|ty| members(ty, types, found, depth + 1)),
        TSType::TSArrayType(array) => members(&array.element_type, types, found, depth + 1),
        TSType::TSParenthesizedType(inner) => {
            members(&inner.type_annotation, types, found, depth + 1)
        }
        TSType::TSTypeReference(reference) => {
            if let TSTypeName::IdentifierReference(name) = &reference.type_name
                && let Some(ty) = types.get(name.name.as_str())
            {
                members(ty, types, found, depth + 1);
            }
        }
        _ => {}
    }
}

struct Walk<'d> {
    definitions: &'d BTreeMap<String, Value>,
    checked: usize,
    wrong: Vec<String>,
}

impl<'d> Walk<'d> {
    /// The properties that a value of this schema can have, of a list those of its items.
    fn properties(
        &self,
        schema: &'d Value,
        found: &mut BTreeMap<&'d str, Vec<&'d Value>>,
        depth: usize,
    ) {
        if depth > 20 {
            return;
        }
        if let Some(target) = schema["$ref"].as_str() {
            self.properties(
                &self.definitions[&target["#/$defs/".len()..]],
                found,
                depth + 1,
            );
        }
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            found.entry(name).or_default().push(property);
        }
        self.inside(schema)
            .for_each(|part| self.properties(part, found, depth + 1));
    }

    fn inside(&self, schema: &'d Value) -> impl Iterator<Item = &'d Value> {
        let lists = ["allOf", "anyOf", "oneOf"].into_iter();
        let parts = lists
            .filter_map(|keyword| schema[keyword].as_array())
            .flatten();
        parts.chain(schema.get("items"))
    }

    fn check(
        &mut self,
        place: &str,
        schema: &'d Value,
        ty: &TSType<'_>,
        types: &Types<'_>,
        levels: usize,
    ) {
        let mut expected = BTreeMap::new();
        self.properties(schema, &mut expected, 0);
        let mut there = BTreeMap::new();
        members(ty, types, &mut there, 0);
        for (name, schemas) in expected {
            self.checked += 1;
            let place = format!("{place}.{name}");
            let Some(found) = there.get(name) else {
                self.wrong.push(format!("{place} is missing"));
                continue;
            };
            let typed = schemas.iter().all(|schema| schema.get("type").is_some());
            if typed
                && found
                    .iter()
                    .any(|ty| matches!(ty, TSType::TSUnknownKeyword(_)))
            {
                self.wrong.push(format!("{place} has no type"));
            }
            // Where several shapes share a name, any of their types may be it.
            if levels > 1 && schemas.len() == 1 && found.len() == 1 {
                self.check(&place, schemas[0], found[0], types, levels - 1);
            }
        }
    }
}

#[test]
fn every_property_of_an_input_and_of_the_first_level_of_a_result_is_there() {
    let mut memory = Memory {
        connector: "github".to_owned(),
        ..Memory::default()
    };
    let text = std::fs::read_to_string(DOCUMENT).unwrap();
    let report = derive(Format::Openapi, &text, &mut memory).unwrap();
    let mut lister = Lister::default();
    memory.records.iter().for_each(|record| lister.add(record));
    let connector = Connector {
        name: memory.connector.clone(),
        instructions: None,
        unavailable: None,
        listing: lister.finish(report),
    };
    let catalogue = Catalogue::new(vec![connector], Vec::new());
    let shelf = vec![memory];
    let mut walk = Walk {
        definitions: &shelf[0].definitions,
        checked: 0,
        wrong: Vec::new(),
    };
    let mut named = BTreeSet::new();
    for record in shelf[0].records.iter().step_by(5) {
        let described = catalogue
            .describe(&format!("github.{}", record.name), &shelf)
            .unwrap();
        let allocator = Allocator::default();
        let parsed = Parser::new(&allocator, &described.types, SourceType::ts()).parse();
        assert!(
            parsed.diagnostics.is_empty() && !parsed.panicked,
            "{}",
            described.types
        );
        let mut types = Types::new();
        let mut call = None;
        for statement in &parsed.program.body {
            match statement.as_declaration() {
                Some(Declaration::TSTypeAliasDeclaration(alias)) => {
                    types.insert(alias.id.name.as_str(), &alias.type_annotation);
                }
                Some(Declaration::VariableDeclaration(namespace)) => {
                    let ty = namespace.declarations[0].type_annotation.as_ref().unwrap();
                    if let TSType::TSTypeLiteral(literal) = &ty.type_annotation
                        && let TSSignature::TSMethodSignature(method) = &literal.members[0]
                    {
                        call = Some(method);
                    }
                }
                _ => assert!(matches!(statement, Statement::TSInterfaceDeclaration(_))),
            }
        }
        let call = call.unwrap();
        let place = &record.name;
        let input = call.params.items[0].type_annotation.as_ref().unwrap();
        if let Some(schema) = &record.input_schema {
            walk.check(
                &format!("{place}(input)"),
                schema,
                &input.type_annotation,
                &types,
                DEPTH,
            );
        }
        let TSType::TSTypeReference(promise) = &call.return_type.as_ref().unwrap().type_annotation
        else {
            panic!("{place} gives no promise");
        };
        let result = &promise.type_arguments.as_ref().unwrap().params[0];
        if let Some(schema) = &record.output_schema {
            // Long items of a list are a name that is a target.
            if let TSType::TSArrayType(array) = result
                && let TSType::TSTypeReference(item) = &array.element_type
                && let TSTypeName::IdentifierReference(name) = &item.type_name
                && !types.contains_key(name.name.as_str())
            {
                named.insert(format!("github#{}", name.name));
                continue;
            }
            walk.check(&format!("{place}(): result"), schema, result, &types, 1);
        }
    }
    assert!(
        walk.checked > 2_500,
        "{} properties were looked for",
        walk.checked
    );
    assert!(
        walk.wrong.is_empty(),
        "of {}:\n{}",
        walk.checked,
        walk.wrong.join("\n")
    );
    for target in named {
        assert!(
            catalogue.describe(&target, &shelf).is_ok(),
            "{target} is not opened"
        );
    }
}
