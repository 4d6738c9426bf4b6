//! What the catalogue says of an operation: the policy of a call, the answer to a lookup.

use super::pass::Pass;
use super::{Runtime, json};
use crate::catalog::{Approval, Catalogue, DescribeOutput, Head, Replay, SearchOptions};
use crate::engine::call::{CODEMODE, Policy, STEP, Safety};
use crate::engine::decide::{Declared, Issue};
use crate::engine::ids::Kind;
use crate::engine::surrogates::read_json;
use crate::error::{Code, Error};
use crate::store::sql::Sql;
use crate::wire::request::ApprovalRule;

pub(super) fn declared(pass: &Pass, issue: &Issue) -> Declared {
    if issue.operation.kind() == Kind::Lookup {
        return Declared::Lookup;
    }
    if issue.connector == CODEMODE && issue.method == STEP {
        // From the contact alone: what a sandbox says of itself decides nothing.
        return Declared::Step(if pass.contact.reach.is_empty() {
            Safety::ReadOnly
        } else {
            Safety::Effect
        });
    }
    if !pass.execution.connectors.contains(&issue.connector) || !pass.contact.has(&issue.connector)
    {
        return Declared::Refused(Error::new(
            Code::MissingConnector,
            format!(
                "there is no connector {}; there are: {}",
                issue.connector,
                pass.contact.names().join(", ")
            ),
        ));
    }
    let unavailable = pass
        .catalogue
        .connector(&issue.connector)
        .and_then(|connector| connector.unavailable.clone());
    if let Some(why) = unavailable {
        return Declared::Refused(Error::new(
            Code::MissingConnector,
            format!(
                "connector {} cannot be reached now: {why}; the others can; try again later",
                issue.connector
            ),
        ));
    }
    match pass.catalogue.method(&issue.connector, &issue.method) {
        Some(method) => Declared::Method(policy(method, pass.contact.approval)),
        None => Declared::Refused(Error::new(
            Code::NotFound,
            pass.catalogue
                .unknown_method(&issue.connector, &issue.method),
        )),
    }
}

fn policy(method: &Head, rule: ApprovalRule) -> Policy {
    let safety = match (method.read_only, method.idempotent) {
        (true, _) => Safety::ReadOnly,
        (false, true) => Safety::Idempotent,
        (false, false) => Safety::Effect,
    };
    match (method.requires_approval, rule) {
        (Approval::Always, _) => Policy::Approve(safety),
        (_, ApprovalRule::UnlessReadOnly) if safety != Safety::ReadOnly => Policy::Approve(safety),
        (Approval::Ask, _) => Policy::Ask(safety),
        (Approval::Never, _) if method.replay == Some(Replay::Reexecute) => Policy::Reexecute,
        (Approval::Never, _) => Policy::Record(safety),
    }
}

/// Read by hand: its reader knows JavaScript, and nothing of `u32`.
fn search_options(given: &serde_json::Value) -> Result<SearchOptions, String> {
    let text =
        |value: &serde_json::Value| -> String { value.to_string().chars().take(40).collect() };
    let whole = |name: &str| match given.get(name) {
        None | Some(serde_json::Value::Null) => Ok(None),
        Some(value) => match value.as_u64().map(u32::try_from) {
            Some(Ok(count)) => Ok(Some(count)),
            _ => Err(format!(
                "options.{name} is a whole number from 0 to {}, and {} was given",
                u32::MAX,
                text(value)
            )),
        },
    };
    let connector = match given.get("connector") {
        None | Some(serde_json::Value::Null) => None,
        Some(serde_json::Value::String(name)) => Some(name.clone()),
        Some(other) => {
            return Err(format!(
                "options.connector is the name of a connector, and {} was given",
                text(other)
            ));
        }
    };
    if !given.is_object() {
        return Err("options are { limit?, offset?, connector? }".to_owned());
    }
    Ok(SearchOptions {
        limit: whole("limit")?,
        offset: whole("offset")?,
        connector,
    })
}

impl<S: Sql> Runtime<S> {
    /// Search and describe are answered from what is stored here; nobody else is asked.
    pub(super) fn look_up(&self, pass: &Pass, method: &str, args: &str) -> Result<String, Error> {
        let wrong =
            |what: &str| Error::new(Code::InvalidInput, format!("codemode.{method}: {what}"));
        let args: Vec<serde_json::Value> =
            read_json(args).map_err(|_| wrong("the arguments must be plain JSON"))?;
        let text = args.first().and_then(serde_json::Value::as_str);
        match method {
            "search" => {
                let query = text.ok_or_else(|| {
                    wrong("the query must be a text, as in codemode.search(\"list issues\")")
                })?;
                let options = match args.get(1) {
                    None | Some(serde_json::Value::Null) => SearchOptions::default(),
                    Some(options) => search_options(options).map_err(|what| wrong(&what))?,
                };
                Ok(json(&pass.catalogue.search(query, &options, self)?))
            }
            "describe" => {
                let target = text.ok_or_else(|| {
                    wrong("the target must be a text, such as \"notes\" or \"notes.add\"")
                })?;
                Ok(json(&self.describe_target(&pass.catalogue, target)?))
            }
            _ => Err(wrong(
                "there is no such method; codemode has search, describe, step and run",
            )),
        }
    }

    /// A connector, a method or a snippet.
    pub(super) fn describe_target(
        &self,
        catalogue: &Catalogue,
        target: &str,
    ) -> Result<DescribeOutput, Error> {
        if let Some(snippet) = catalogue.snippet(target)
            && let Some(code) = self.store.snippet_code(target)?
        {
            return Ok(Catalogue::describe_snippet(snippet, code));
        }
        catalogue.describe(target, self)
    }
}
