//! Long texts and bytes in rows: a row holds 2 MB, a text of 1,000,000 characters can be 3 MB.

/// Longest text of one row, in bytes of UTF-8.
pub(super) const CHUNK_BYTES: usize = 512 * 1024;

/// Cuts at character boundaries. An empty text is one empty chunk, so that it can be told from one that is not there.
pub(super) fn chunks(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while rest.len() > CHUNK_BYTES {
        let mut end = CHUNK_BYTES;
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let (part, tail) = rest.split_at(end);
        parts.push(part);
        rest = tail;
    }
    parts.push(rest);
    parts
}

/// The same for bytes; none are no row.
pub(super) fn blobs(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    bytes.chunks(CHUNK_BYTES).map(<[u8]>::to_vec)
}
