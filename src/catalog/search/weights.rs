//! The numbers of ranking, all in one place. They were fitted to `tests/fixtures/search/dev.json`, and only as far as a
//! change helped there by more than one query.

/// A field's worth, and how much its length is held against it.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) worth: f32,
    pub(super) usual_words: f32,
    pub(super) length_penalty: f32,
}

impl Field {
    /// What one occurrence counts in a text of so many words.
    pub(super) fn weight(&self, words: usize) -> f32 {
        let length = words as f32 / self.usual_words;
        self.worth / (1.0 - self.length_penalty + self.length_penalty * length)
    }
}

#[derive(Debug)]
pub(super) struct Fields {
    pub(super) name: Field,
    pub(super) path: Field,
    pub(super) tags: Field,
    pub(super) summary: Field,
    pub(super) rest: Field,
    pub(super) parameters: Field,
    pub(super) parameter_texts: Field,
}

const fn field(worth: f32, usual_words: f32, length_penalty: f32) -> Field {
    Field {
        worth,
        usual_words,
        length_penalty,
    }
}

pub(super) static FIELDS: Fields = Fields {
    name: field(4.0, 4.0, 0.3),
    path: field(1.0, 6.0, 0.3),
    tags: field(1.0, 2.0, 0.3),
    summary: field(2.5, 7.0, 0.4),
    rest: field(0.5, 40.0, 0.6),
    parameters: field(0.6, 8.0, 0.5),
    parameter_texts: field(0.2, 80.0, 0.6),
};

#[derive(Debug)]
pub(super) struct Ranking {
    /// BM25's saturation of repeated words.
    pub(super) saturation: f32,
    /// What a method gains whose name has all words of the query, or nothing but words of the query.
    pub(super) name_covered: f32,
    /// What a method gains that has all words of the query.
    pub(super) query_covered: f32,
    /// What is left of one that does something else than what is asked.
    pub(super) other_act: f32,
    /// The gain of one that does exactly what is asked.
    pub(super) same_act: f32,
    /// The gain of reading where nothing is said.
    pub(super) default_act: f32,
    /// The gain of the connector that the query names.
    pub(super) connector: f32,
    /// The gain of a connector that speaks of the query's words in its own introduction.
    pub(super) about: f32,
    /// Weight of a word of the query that is a verb with an act, of a number, and of one that names a connector.
    pub(super) verb: f32,
    pub(super) number: f32,
    pub(super) connector_word: f32,
    pub(super) filler: f32,
    /// Weight of whose it is, where the query says `my`.
    pub(super) mine: f32,
    /// Credit of a word that is not the one that was asked for.
    pub(super) doer: f32,
    pub(super) joined: f32,
    pub(super) prefix: f32,
    pub(super) one_slip: f32,
    pub(super) two_slips: f32,
}

pub(super) static RANKING: Ranking = Ranking {
    saturation: 2.0,
    name_covered: 0.9,
    query_covered: 1.0,
    other_act: 0.75,
    same_act: 0.1,
    default_act: 0.05,
    connector: 0.5,
    about: 0.05,
    verb: 0.8,
    number: 0.3,
    connector_word: 0.5,
    filler: 0.3,
    mine: 0.3,
    doer: 0.75,
    joined: 0.9,
    prefix: 0.5,
    one_slip: 0.8,
    two_slips: 0.6,
};
