//! Terms that a misspelt word may stand for: a walk over the dictionary that keeps the rows of edit distance of the letters
//! that neighbouring terms share, and leaves a whole family as soon as its beginning is too far off.

use super::segment::{Listed, Segment};

/// What the stemmer takes off: a misspelt word keeps its ending, its term has lost it (`confrence`, `confer`).
const ENDINGS: &[&str] = &[
    "", "s", "es", "e", "ed", "ing", "er", "or", "ers", "al", "ion", "ions", "ation", "ations",
    "ment", "ments", "ence", "ance", "ences", "y", "ies", "ity", "ly", "able", "ive", "ate",
    "ator", "ators", "ent", "ents", "ness", "ful", "ization", "ize",
];

/// How many slips a word of this length may have. Short words have too many neighbours.
pub(super) fn allowed(letters: usize) -> usize {
    match letters {
        0..=2 => 0,
        3..=7 => 1,
        _ => 2,
    }
}

/// Calls `found` for each term within the distance: insertions, deletions, substitutions, and neighbours exchanged.
pub(super) fn near(segment: &Segment, word: &str, mut found: impl FnMut(&str, usize, Listed)) {
    let word: Vec<char> = word.chars().collect();
    let most = allowed(word.len());
    if most == 0 {
        return;
    }
    let mut rows = Rows::new(&word, most);
    let mut walk = segment.all_terms();
    // Bytes at which a letter of the present term begins, and how many of its first bytes lead nowhere.
    let mut starts: Vec<usize> = Vec::new();
    let mut dead: Option<usize> = None;
    while let Some(listed) = walk.step() {
        if dead.is_some_and(|bytes| walk.shared >= bytes) {
            continue;
        }
        dead = None;
        let kept = starts.partition_point(|start| *start < walk.shared);
        starts.truncate(kept);
        rows.truncate(kept);
        let Ok(term) = std::str::from_utf8(&walk.term) else {
            return;
        };
        let added = term.get(walk.shared..).unwrap_or_default();
        for (at, letter) in added.char_indices() {
            let start = walk.shared + at;
            starts.push(start);
            if !rows.push(letter) {
                dead = Some(start + letter.len_utf8());
                break;
            }
        }
        if dead.is_none()
            && let Some(distance) = rows.distance()
        {
            found(term, distance, listed);
        }
    }
}

/// The stemmer writes the last `y` of a word as `i`.
fn alike(written: char, filed: char) -> bool {
    written == filed || (written == 'y' && filed == 'i')
}

/// One row of distances per letter of the term, over all beginnings of the word.
struct Rows<'w> {
    word: &'w [char],
    most: usize,
    rows: Vec<usize>,
    term: Vec<char>,
    /// The least of each row.
    least: Vec<usize>,
    /// Lengths of beginnings of the word whose rest is an ending.
    whole: Vec<usize>,
}

impl<'w> Rows<'w> {
    fn new(word: &'w [char], most: usize) -> Self {
        let whole = (0..=word.len()).filter(|at| {
            let rest: String = word.iter().skip(*at).collect();
            *at >= 3 && ENDINGS.contains(&rest.as_str())
        });
        Self {
            word,
            most,
            rows: (0..=word.len()).collect(),
            term: Vec::new(),
            least: Vec::new(),
            whole: whole.collect(),
        }
    }

    fn truncate(&mut self, letters: usize) {
        self.term.truncate(letters);
        self.least.truncate(letters);
        self.rows.truncate((letters + 1) * (self.word.len() + 1));
    }

    /// False when no term that begins so is near enough; the letter is not kept then.
    fn push(&mut self, letter: char) -> bool {
        let width = self.word.len() + 1;
        let depth = self.term.len();
        let at = |row: usize, column: usize| row * width + column;
        let get = |rows: &[usize], place: usize| rows.get(place).copied().unwrap_or(usize::MAX / 2);
        let before = self.term.last().copied();
        self.term.push(letter);
        self.rows.push(depth + 1);
        let mut least = depth + 1;
        let mut previous: Option<char> = None;
        for (column, &own) in self.word.iter().enumerate() {
            let rows = &self.rows;
            let substituted = get(rows, at(depth, column)) + usize::from(!alike(own, letter));
            let inserted = get(rows, at(depth, column + 1)) + 1;
            let deleted = get(rows, at(depth + 1, column)) + 1;
            let mut distance = substituted.min(inserted).min(deleted);
            if column > 0 && depth > 0 && previous == Some(letter) && before == Some(own) {
                distance = distance.min(get(rows, at(depth - 1, column - 1)) + 1);
            }
            self.rows.push(distance);
            least = least.min(distance);
            previous = Some(own);
        }
        // Exchanged neighbours look back over one row, at the price of one.
        let before = self.least.last().copied().unwrap_or(0);
        self.least.push(least);
        if least > self.most && before >= self.most {
            self.truncate(depth);
            return false;
        }
        true
    }

    /// Of the present term to the word, or to the word without an ending.
    fn distance(&self) -> Option<usize> {
        let last = self.term.len() * (self.word.len() + 1);
        let row = self.rows.get(last..)?;
        let distances = self.whole.iter().filter_map(|at| row.get(*at));
        distances.copied().min().filter(|least| *least <= self.most)
    }
}
