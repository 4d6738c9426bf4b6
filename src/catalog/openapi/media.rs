//! Media types: which one of several is spoken, and what a value of it is in a program.

use serde_json::{Value, json};

use super::raw::{Fields, Raw};

/// In the order in which a body's are preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Json,
    /// `application/vnd.api+json`, and the types that leave it open or are none.
    LikeJson,
    Form,
    Multipart,
    Bytes,
    Text,
    Xml,
    /// Nothing that is known how to write: as the program gives it.
    Other,
}

impl Kind {
    pub(super) fn of(media_type: &str) -> Self {
        let essence = essence(media_type);
        let Some((group, name)) = essence.split_once('/') else {
            return Self::LikeJson;
        };
        match (group, name) {
            ("application" | "text", "json") => Self::Json,
            ("*", _) | ("application", "*") => Self::LikeJson,
            _ if name.ends_with("+json") => Self::LikeJson,
            ("application", "x-www-form-urlencoded") => Self::Form,
            ("multipart", "form-data") => Self::Multipart,
            ("application" | "text", "xml") => Self::Xml,
            _ if name.ends_with("+xml") && group != "image" => Self::Xml,
            ("image" | "audio" | "video" | "font", _) => Self::Bytes,
            (
                "application",
                "octet-stream" | "pdf" | "zip" | "gzip" | "x-gzip" | "x-tar" | "x-zip-compressed",
            ) => Self::Bytes,
            ("text", _) => Self::Text,
            _ => Self::Other,
        }
    }

    /// Reading prefers text to bytes: it is what a program can go on with.
    pub(super) fn reading_rank(self) -> usize {
        let order = [
            Self::Json,
            Self::LikeJson,
            Self::Text,
            Self::Xml,
            Self::Form,
            Self::Bytes,
            Self::Multipart,
            Self::Other,
        ];
        order
            .iter()
            .position(|kind| *kind == self)
            .unwrap_or(order.len())
    }
}

/// One of a body's or a response's media types.
#[derive(Debug, Clone)]
pub(super) struct Media<'d> {
    /// As the document writes it.
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) fields: Fields<'d>,
}

pub(super) fn written<'d>(content: &Fields<'d>) -> Option<Media<'d>> {
    chosen(content, |kind| kind as usize)
}

pub(super) fn read<'d>(content: &Fields<'d>) -> Option<Media<'d>> {
    chosen(content, Kind::reading_rank)
}

/// The first of the best.
fn chosen<'d>(content: &Fields<'d>, rank: impl Fn(Kind) -> usize) -> Option<Media<'d>> {
    let best: Option<(&str, Raw<'d>)> = content.iter().min_by_key(|(name, _)| rank(Kind::of(name)));
    best.map(|(name, raw)| Media {
        name: name.to_owned(),
        kind: Kind::of(name),
        fields: Fields::read(raw).unwrap_or_default(),
    })
}

/// Is it a media type, rather than a range (`*/*`) or no name of one?
pub(super) fn is_one(media_type: &str) -> bool {
    media_type.contains('/') && !media_type.contains('*')
}

/// The name that is sent.
pub(super) fn sendable(media_type: &str, kind: Kind) -> String {
    if is_one(media_type) {
        return media_type.to_owned();
    }
    let name = match kind {
        Kind::Text => "text/plain",
        Kind::Bytes => "application/octet-stream",
        _ => "application/json",
    };
    name.to_owned()
}

/// Bytes in a program: a `Uint8Array`. JSON Schema has no type for them, so any value passes, and the format says it.
pub(super) fn bytes() -> Value {
    json!({ "format": "binary" })
}

pub(super) fn is_bytes(schema: &Value) -> bool {
    schema.get("type").is_none() && schema.get("format").is_some_and(|it| it == "binary")
}

pub(super) fn essence(media_type: &str) -> String {
    let end = media_type.find(';').unwrap_or(media_type.len());
    media_type[..end].trim().to_ascii_lowercase()
}
