//! The machine that draws a page, as far as letters go: it follows the instructions that place
//! text and the forms they use, and hands every letter to the layout.
//!
//! Its steps, forms inside forms and letters are counted, so a page that calls itself ends.

use std::sync::Arc;

use hayro_cmap::BfString;
use hayro_font::kurbo::{Affine, Point};
use hayro_font::{CMapResolverFn, Font, FontCache, FontGlyph, FontQuery, FontResolverFn};
use hayro_font::{StandardFont, UNITS_PER_EM};
use hayro_syntax::content::TypedIter;
use hayro_syntax::content::ops::TypedInstruction;
use hayro_syntax::object::dict::keys::{FORM, MATRIX, RESOURCES, SUBTYPE};
use hayro_syntax::object::{Dict, Name, Object, Stream};
use hayro_syntax::page::{Page, Resources};

use super::Fault;
use super::layout::{Layout, Letter};

const MOST_STEPS: u64 = 50_000_000;
/// Contents of so many bytes count as one step: a form may be unpacked again and again.
const BYTES_A_STEP: usize = 16;
/// What one letter may stand for; a ligature has three characters.
const LETTER_CHARACTERS: usize = 16;
const MOST_LETTERS: u64 = 20_000_000;
const DEEPEST_FORM: usize = 12;
const MOST_STATES: usize = 256;
/// Only when most of the letters have no name is a document unreadable.
const FEW_LETTERS: u64 = 20;

pub(super) struct Machine<'a> {
    fonts: FontCache<'a>,
    font_resolver: FontResolverFn,
    cmap_resolver: CMapResolverFn,
    steps: u64,
    letters: u64,
    nameless: u64,
}

impl Default for Machine<'_> {
    fn default() -> Self {
        Self {
            fonts: FontCache::new(),
            font_resolver: Arc::new(|query| match query {
                FontQuery::Standard(font) => Some(font.get_font_data()),
                FontQuery::Fallback(query) => Some(query.pick_standard_font().get_font_data()),
            }),
            cmap_resolver: Arc::new(hayro_cmap::load_embedded),
            steps: 0,
            letters: 0,
            nameless: 0,
        }
    }
}

/// How text is placed at the moment.
#[derive(Clone)]
struct State<'a> {
    page: Affine,
    line: Affine,
    text: Affine,
    font: Option<Font<'a>>,
    size: f64,
    letter_space: f64,
    word_space: f64,
    scale: f64,
    leading: f64,
    rise: f64,
}

impl State<'_> {
    fn new(page: Affine) -> Self {
        Self {
            page,
            line: Affine::IDENTITY,
            text: Affine::IDENTITY,
            font: None,
            size: 1.0,
            letter_space: 0.0,
            word_space: 0.0,
            scale: 1.0,
            leading: 0.0,
            rise: 0.0,
        }
    }

    fn next_line(&mut self, x: f64, y: f64) {
        self.line *= Affine::translate((x, y));
        self.text = self.line;
    }

    fn is_horizontal(&self) -> bool {
        self.font.as_ref().is_none_or(Font::is_horizontal)
    }

    /// Goes on by so much, in the units of the text.
    fn advance(&mut self, by: f64) {
        let by = if self.is_horizontal() { (by * self.scale, 0.0) } else { (0.0, by) };
        self.text *= Affine::translate(by);
    }
}

impl<'a> Machine<'a> {
    /// Draws a page whose instructions are given.
    pub(super) fn draw(
        &mut self,
        page: &Page<'a>,
        contents: &[u8],
        layout: &mut Layout,
    ) -> Result<(), Fault> {
        self.follow(contents, page.resources(), State::new(Affine::IDENTITY), layout, 0)
    }

    /// Whether letters were drawn, but hardly one of which it is known what it stands for.
    pub(super) fn has_nameless_text(&self) -> bool {
        self.nameless > FEW_LETTERS && self.nameless > self.letters / 2
    }

    fn follow(
        &mut self,
        contents: &[u8],
        resources: &Resources<'a>,
        mut state: State<'a>,
        layout: &mut Layout,
        depth: usize,
    ) -> Result<(), Fault> {
        self.steps += (contents.len() / BYTES_A_STEP) as u64;
        let mut saved: Vec<State<'a>> = Vec::new();
        let mut instructions = TypedIter::new(contents);
        while let Some(instruction) = instructions.next() {
            self.steps += 1;
            if self.steps > MOST_STEPS || self.letters > MOST_LETTERS {
                return Err(Fault::Bomb("its pages take too many steps to draw"));
            }
            match instruction {
                TypedInstruction::SaveState(_) if saved.len() < MOST_STATES => {
                    saved.push(state.clone());
                }
                TypedInstruction::RestoreState(_) => {
                    state = saved.pop().unwrap_or(state);
                }
                TypedInstruction::Transform(t) => {
                    let [a, b, c, d] = [t.0, t.1, t.2, t.3].map(|number| number.as_f64());
                    state.page *= Affine::new([a, b, c, d, t.4.as_f64(), t.5.as_f64()]);
                }
                TypedInstruction::XObject(form) => {
                    if depth < DEEPEST_FORM
                        && let Some(form) = resources.get_x_object(form.0)
                    {
                        self.form(&form, resources, &state, layout, depth)?;
                    }
                }
                TypedInstruction::ShowTexts(texts) => {
                    for part in texts.0.iter::<Object<'_>>() {
                        match part {
                            Object::Number(back) => {
                                let back = back.as_f64() / f64::from(UNITS_PER_EM);
                                state.advance(-back * state.size);
                            }
                            Object::String(text) => self.show(text.as_bytes(), &mut state, layout),
                            _ => {}
                        }
                    }
                }
                TypedInstruction::ShowText(text) => {
                    self.show(text.0.as_bytes(), &mut state, layout);
                }
                TypedInstruction::NextLineAndShowText(text) => {
                    state.next_line(0.0, -state.leading);
                    self.show(text.0.as_bytes(), &mut state, layout);
                }
                TypedInstruction::ShowTextWithParameters(text) => {
                    state.word_space = text.0.as_f64();
                    state.letter_space = text.1.as_f64();
                    state.next_line(0.0, -state.leading);
                    self.show(text.2.as_bytes(), &mut state, layout);
                }
                TypedInstruction::TextFont(font) => {
                    state.size = font.1.as_f64();
                    state.font = self.font(resources, font.0);
                }
                other => set(&mut state, &other),
            }
        }
        Ok(())
    }

    fn form(
        &mut self,
        form: &Stream<'a>,
        around: &Resources<'a>,
        state: &State<'a>,
        layout: &mut Layout,
        depth: usize,
    ) -> Result<(), Fault> {
        let dict = form.dict();
        if dict.get::<Name<'_>>(SUBTYPE).as_deref() != Some(FORM) {
            return Ok(());
        }
        let Ok(contents) = form.decoded_data() else { return Ok(()) };
        let mut state = state.clone();
        if let Some(matrix) = dict.get::<[f64; 6]>(MATRIX) {
            state.page *= Affine::new(matrix);
        }
        let own = dict.get::<Dict<'a>>(RESOURCES).map(Resources::new);
        self.follow(&contents, own.as_ref().unwrap_or(around), state, layout, depth + 1)
    }

    /// A font that a page does not have is taken to be a usual one.
    fn font(&self, resources: &Resources<'a>, name: &Name<'_>) -> Option<Font<'a>> {
        match resources.get_font(name) {
            Some(dict) => self.fonts.font(&dict, &self.font_resolver, &self.cmap_resolver),
            None => self.fonts.standard_font(StandardFont::Helvetica, &self.font_resolver),
        }
    }

    fn show(&mut self, bytes: &[u8], state: &mut State<'a>, layout: &mut Layout) {
        let Some(font) = state.font.clone() else { return };
        let mut at = 0;
        while at < bytes.len() {
            let (code, length) = font.read_code(bytes, at);
            at += length.max(1);
            self.letters += 1;
            let advance = font.code_advance(code);
            let along = if font.is_horizontal() { advance.x } else { advance.y };
            let word_space = if code == 32 && length == 1 { state.word_space } else { 0.0 };
            let width = along / f64::from(UNITS_PER_EM) * state.size;
            match name(&font, code) {
                Some(text) => layout.add(place(text, width, state)),
                None => self.nameless += 1,
            }
            state.advance(width + state.letter_space + word_space);
        }
    }
}

/// What an instruction sets for the text to come.
fn set(state: &mut State<'_>, instruction: &TypedInstruction<'_, '_>) {
    match instruction {
        TypedInstruction::BeginText(_) => {
            state.line = Affine::IDENTITY;
            state.text = Affine::IDENTITY;
        }
        TypedInstruction::SetTextMatrix(m) => {
            let [a, b, c, d] = [m.0, m.1, m.2, m.3].map(|number| number.as_f64());
            state.line = Affine::new([a, b, c, d, m.4.as_f64(), m.5.as_f64()]);
            state.text = state.line;
        }
        TypedInstruction::NextLine(by) => state.next_line(by.0.as_f64(), by.1.as_f64()),
        TypedInstruction::NextLineAndSetLeading(by) => {
            state.leading = -by.1.as_f64();
            state.next_line(by.0.as_f64(), by.1.as_f64());
        }
        TypedInstruction::NextLineUsingLeading(_) => state.next_line(0.0, -state.leading),
        TypedInstruction::TextLeading(leading) => state.leading = leading.0.as_f64(),
        TypedInstruction::CharacterSpacing(space) => state.letter_space = space.0.as_f64(),
        TypedInstruction::WordSpacing(space) => state.word_space = space.0.as_f64(),
        TypedInstruction::HorizontalScaling(scale) => state.scale = scale.0.as_f64() / 100.0,
        TypedInstruction::TextRise(rise) => state.rise = rise.0.as_f64(),
        _ => {}
    }
}

/// What a code of a font stands for.
fn name(font: &Font<'_>, code: u32) -> Option<String> {
    let name = match font.glyph(font.map_code(code), code) {
        FontGlyph::Outline(glyph) => glyph.as_unicode(),
        FontGlyph::Type3(glyph) => glyph.as_unicode(),
    };
    match name? {
        BfString::Char(character) => Some(character.to_string()),
        BfString::String(text) => Some(text.chars().take(LETTER_CHARACTERS).collect()),
    }
}

/// A letter of so much width, where it stands on the page.
fn place(text: String, width: f64, state: &State<'_>) -> Letter {
    let matrix = state.page * state.text;
    let is_horizontal = state.is_horizontal();
    let (end, up) = match is_horizontal {
        true => (Point::new(width * state.scale, state.rise), Point::new(0.0, state.size)),
        false => (Point::new(0.0, width), Point::new(state.size, 0.0)),
    };
    let start = matrix * Point::new(0.0, if is_horizontal { state.rise } else { 0.0 });
    let size = (matrix * up - matrix * Point::ORIGIN).hypot();
    let [a, b, c, d, ..] = matrix.as_coeffs();
    let direction = if is_horizontal { (a, b) } else { (-c, -d) };
    Letter { text, start, end: matrix * end, size, direction: direction.into() }
}
