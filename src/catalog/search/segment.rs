//! The words of one connector's methods in the form in which they are stored, and read where they lie.
//!
//! ```text
//! "cms1" · checksum u64 · documents u32 · blocks u32 · length of the dictionary u32
//! documents × { acts u8, size of the name u8 }
//! blocks    × { place in the dictionary u32, place in the postings u32 }
//! dictionary: terms in order, sixteen to a block: { shared u8, rest u8, rest…, documents varint, bytes of postings varint }
//! postings: per term { distance to the document before × 2 + in the name, varint; weight u8 }
//! ```
//! Numbers are little-endian. A checksum finds what was damaged; whoever forges one gets nonsense, for every reader stops at
//! what it cannot read.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::error::{Code, Error};

/// The format, with its version. What is changed here or in the terms themselves needs another.
const MAGIC: &[u8] = b"cms1";
const HEAD: usize = 24;
const BLOCK: usize = 16;
const MAX_TERM_BYTES: usize = 255;

/// What is known of a method beside its words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Card {
    /// What it does to things, as bits of `acts`.
    pub(super) acts: u8,
    /// How much there is to its name (`fields::name_size`).
    pub(super) name_size: u8,
}

#[derive(Debug, Clone)]
pub struct Segment {
    bytes: Arc<[u8]>,
    documents: usize,
    blocks: usize,
    dictionary: usize,
    postings: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Posting {
    pub(super) document: usize,
    pub(super) in_name: bool,
    pub(super) weight: u8,
}

/// Collects terms; `segment` files them.
#[derive(Debug, Default)]
pub(super) struct Writer {
    cards: Vec<Card>,
    terms: BTreeMap<String, Vec<Posting>>,
}

impl Writer {
    /// Terms of one document, each once.
    pub(super) fn add(&mut self, card: Card, terms: impl Iterator<Item = (String, bool, u8)>) {
        let document = self.cards.len();
        self.cards.push(card);
        for (term, in_name, weight) in terms.filter(|(term, ..)| term.len() <= MAX_TERM_BYTES) {
            self.terms.entry(term).or_default().push(Posting {
                document,
                in_name,
                weight,
            });
        }
    }

    pub(super) fn segment(self) -> Segment {
        let (mut dictionary, mut postings, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        let mut before = "";
        for (number, (term, list)) in self.terms.iter().enumerate() {
            let shared = if number % BLOCK == 0 {
                blocks.extend(small(dictionary.len()));
                blocks.extend(small(postings.len()));
                0
            } else {
                shared(before, term)
            };
            let start = postings.len();
            let mut last = 0;
            for posting in list {
                let distance = posting.document.saturating_sub(last);
                put(&mut postings, distance << 1 | usize::from(posting.in_name));
                postings.push(posting.weight);
                last = posting.document;
            }
            let rest = term.as_bytes().get(shared..).unwrap_or_default();
            dictionary.push(u8::try_from(shared).unwrap_or_default());
            dictionary.push(u8::try_from(rest.len()).unwrap_or_default());
            dictionary.extend(rest);
            put(&mut dictionary, list.len());
            put(&mut dictionary, postings.len() - start);
            before = term;
        }
        let mut body = Vec::with_capacity(dictionary.len() + postings.len() + blocks.len() + HEAD);
        body.extend(small(self.cards.len()));
        body.extend(small(blocks.len() / 8));
        body.extend(small(dictionary.len()));
        let cards = self.cards.iter();
        body.extend(cards.flat_map(|card| [card.acts, card.name_size]));
        body.extend(&blocks);
        body.extend(&dictionary);
        body.extend(&postings);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.extend(body);
        Segment {
            documents: self.cards.len(),
            blocks: blocks.len() / 8,
            dictionary: HEAD + self.cards.len() * 2 + blocks.len(),
            postings: HEAD + self.cards.len() * 2 + blocks.len() + dictionary.len(),
            bytes: bytes.into(),
        }
    }
}

impl Default for Segment {
    fn default() -> Self {
        Writer::default().segment()
    }
}

impl Segment {
    /// # Errors
    /// When the bytes are no segment of this version, or are damaged.
    pub fn load(bytes: &[u8]) -> Result<Self, Error> {
        let wrong = |what: &str| {
            let length = bytes.len();
            let text = format!(
                "the words of search cannot be read: {length} bytes that {what}; derive them from the source again"
            );
            Error::new(Code::Internal, text)
        };
        let (Some(head), Some(body)) = (bytes.get(..12), bytes.get(12..)) else {
            return Err(wrong("are too few"));
        };
        if !head.starts_with(MAGIC) {
            return Err(wrong("are of another version"));
        }
        if head.get(4..) != Some(&checksum(body).to_le_bytes()) {
            return Err(wrong("were damaged"));
        }
        let number = |at| read_small(bytes, at);
        let (Some(documents), Some(blocks), Some(length)) = (number(12), number(16), number(20))
        else {
            return Err(wrong("are too few"));
        };
        // In 64 bits, for on wasm a forged length could wrap.
        let dictionary = HEAD as u64 + documents as u64 * 2 + blocks as u64 * 8;
        let postings = dictionary + length as u64;
        if postings > bytes.len() as u64 {
            return Err(wrong("end before their own length"));
        }
        Ok(Self {
            bytes: bytes.into(),
            documents,
            blocks,
            dictionary: usize::try_from(dictionary).unwrap_or_default(),
            postings: usize::try_from(postings).unwrap_or_default(),
        })
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.bytes.to_vec()
    }

    pub(super) fn card(&self, document: usize) -> Card {
        let at = HEAD + document * 2;
        match self.bytes.get(at..at + 2) {
            Some(&[acts, name_size]) if document < self.documents => Card { acts, name_size },
            _ => Card::default(),
        }
    }

    /// The terms from the block on in which this one would be.
    pub(super) fn terms_from(&self, term: &str) -> Walk<'_> {
        self.block(self.block_of(term))
    }

    fn block_of(&self, term: &str) -> usize {
        // The last block whose first term is not behind it.
        let (mut low, mut high) = (0, self.blocks);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match self.first_of(middle) {
                Some(first) if first <= term.as_bytes() => low = middle,
                _ => high = middle,
            }
        }
        low
    }

    fn first_of(&self, block: usize) -> Option<&[u8]> {
        let rest = self.block_places(block)?.0;
        let (&[_, length], rest) = rest.split_first_chunk::<2>()?;
        rest.get(..usize::from(length))
    }

    pub(super) fn all_terms(&self) -> Walk<'_> {
        self.block(0)
    }

    /// Compares letter by letter as the terms share them, and unpacks none.
    pub(super) fn find(&self, term: &str) -> Option<Listed> {
        let (mut rest, mut at) = self.block_places(self.block_of(term))?;
        // How many bytes the term before begins with alike; it was smaller.
        let mut alike = 0;
        for _ in 0..BLOCK {
            let (&[shared, length], after) = rest.split_first_chunk::<2>()?;
            let (added, mut after) = after.split_at_checked(usize::from(length))?;
            let documents = take(&mut after)?;
            let bytes = take(&mut after)?;
            // Shared beyond that: as small as the one before. Less may be noted than is shared, up to a border of letters.
            if usize::from(shared) <= alike {
                alike = usize::from(shared);
                let wanted = term.as_bytes().get(alike..)?;
                let same = added.iter().zip(wanted).take_while(|(a, b)| a == b).count();
                alike += same;
                if same == added.len() && same == wanted.len() {
                    return Some(Listed {
                        documents,
                        at,
                        length: bytes,
                    });
                }
                if added.get(same) > wanted.get(same) {
                    return None;
                }
            }
            at = at.checked_add(bytes)?;
            rest = after;
        }
        None
    }

    fn block(&self, block: usize) -> Walk<'_> {
        let (rest, postings) = self.block_places(block).unwrap_or_default();
        Walk {
            rest,
            postings,
            term: Vec::with_capacity(MAX_TERM_BYTES),
            shared: 0,
        }
    }

    /// The dictionary from a block on, and where its postings begin.
    fn block_places(&self, block: usize) -> Option<(&[u8], usize)> {
        if block >= self.blocks {
            return None;
        }
        let at = HEAD + self.documents * 2 + block * 8;
        let dictionary = self.bytes.get(self.dictionary..self.postings)?;
        let from = read_small(&self.bytes, at)?;
        Some((dictionary.get(from..)?, read_small(&self.bytes, at + 4)?))
    }

    pub(super) fn postings(&self, listed: Listed) -> impl Iterator<Item = Posting> {
        let from = self.postings.saturating_add(listed.at);
        let mut rest = self
            .bytes
            .get(from..from.saturating_add(listed.length))
            .unwrap_or_default();
        let (mut document, documents) = (0_usize, self.documents);
        std::iter::from_fn(move || {
            let packed = take(&mut rest)?;
            let (&weight, after) = rest.split_first()?;
            rest = after;
            document = document.checked_add(packed >> 1)?;
            (document < documents).then_some(Posting {
                document,
                in_name: packed & 1 == 1,
                weight,
            })
        })
    }
}

/// What lies behind the checksum, with a checksum that is right: for tests of what a forger may do.
#[cfg(test)]
pub(in crate::catalog) fn forged(body: &[u8]) -> Vec<u8> {
    [MAGIC, &checksum(body).to_le_bytes(), body].concat()
}

/// Where a term's postings lie, and how many there are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listed {
    pub(super) documents: usize,
    at: usize,
    length: usize,
}

/// Terms in their order.
#[derive(Debug)]
pub(super) struct Walk<'s> {
    rest: &'s [u8],
    postings: usize,
    /// The term of the last step.
    pub(super) term: Vec<u8>,
    /// How many bytes of it the one before had too.
    pub(super) shared: usize,
}

impl Walk<'_> {
    pub(super) fn step(&mut self) -> Option<Listed> {
        let (&[shared, length], rest) = self.rest.split_first_chunk::<2>()?;
        let (added, mut rest) = rest.split_at_checked(usize::from(length))?;
        self.shared = usize::from(shared).min(self.term.len());
        self.term.truncate(self.shared);
        self.term.extend(added);
        let documents = take(&mut rest)?;
        let length = take(&mut rest)?;
        self.rest = rest;
        let at = self.postings;
        self.postings = at.checked_add(length)?;
        Some(Listed {
            documents,
            at,
            length,
        })
    }
}

/// How many bytes two terms begin with alike, up to a border of letters.
fn shared(before: &str, term: &str) -> usize {
    let alike = before.bytes().zip(term.bytes()).take_while(|(a, b)| a == b);
    let mut shared = alike.count();
    while !term.is_char_boundary(shared) {
        shared -= 1;
    }
    shared
}

fn small(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes()
}

fn read_small(bytes: &[u8], at: usize) -> Option<usize> {
    let chunk = bytes.get(at..)?.first_chunk::<4>()?;
    usize::try_from(u32::from_le_bytes(*chunk)).ok()
}

fn put(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push((number & 0x7F) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0_usize;
    for shift in [0, 7, 14, 21, 28] {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= usize::from(byte & 0x7F).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Finds accidents, not forgers; eight bytes at a time, for a megabyte is read at each restart.
fn checksum(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut sum = bytes.len() as u64;
    let (chunks, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    for chunk in chunks.iter().chain([&last]) {
        sum = (sum ^ u64::from_le_bytes(*chunk)).wrapping_mul(PRIME);
        sum ^= sum >> 29;
    }
    sum
}
