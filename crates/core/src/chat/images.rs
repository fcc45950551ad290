//! The images that go to a model with a question. What is stored of a message has a placeholder in
//! the place of each, so they are sent beside the question, or nobody would see them again.

use super::{Image, Part};
use crate::catalogue::ModelInfo;

/// The most images that go with one question, as long as it does not bring more itself. Clients
/// send every image again with each request, and providers take hundreds at most, some of them
/// only small ones from the twenty-first on.
const MOST: usize = 20;

/// Those of a question, and of what the client tells before it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Images {
    /// Of what the user said before, oldest first.
    earlier: Vec<Image>,
    own: Vec<Image>,
    /// How many older ones there is no room for.
    left_out: usize,
}

impl From<Vec<Image>> for Images {
    /// Of a question alone.
    fn from(own: Vec<Image>) -> Self {
        Self { own, ..Self::default() }
    }
}

impl Images {
    /// All of the question, and before them the newest of what was said before it, oldest first.
    pub fn new(mut earlier: Vec<Image>, own: Vec<Image>) -> Self {
        let room = MOST.saturating_sub(own.len());
        let left_out = earlier.len().saturating_sub(room);
        earlier.drain(..left_out);
        Self { earlier, own, left_out }
    }

    /// How many are sent.
    pub fn len(&self) -> usize {
        self.earlier.len() + self.own.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Those that are sent, in the order in which they were said.
    pub fn parts(&self) -> impl Iterator<Item = Part> {
        self.earlier.iter().chain(&self.own).cloned().map(Part::Image)
    }

    /// What a receipt says of them, which are not in its dossier.
    pub fn told_beside(&self, model: &ModelInfo) -> Vec<String> {
        if !model.capabilities.vision {
            let name = model.full_name();
            let blind = format!("{name} cannot see images and is told that there are some");
            return (!self.is_empty()).then_some(blind).into_iter().collect();
        }
        let earlier = self.earlier.len();
        let sent = format!(
            "images of earlier messages are sent with the question, oldest first and before its \
             own: {earlier}"
        );
        let left_out = format!(
            "older images are not sent, for {MOST} go with a question at most: {}; send those \
             again that it is about",
            self.left_out
        );
        let told = [(earlier, sent), (self.left_out, left_out)];
        told.into_iter().filter(|(count, _)| *count > 0).map(|(_, told)| told).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn images(names: std::ops::Range<usize>) -> Vec<Image> {
        let image = |name| Image { mime: "image/png".to_owned(), base64: format!("{name:04}") };
        names.map(image).collect()
    }

    #[track_caller]
    fn check(images: &Images, sent: Vec<Image>, told: &[&str]) {
        let sent: Vec<Part> = sent.into_iter().map(Part::Image).collect();
        assert_eq!(images.parts().collect::<Vec<_>>(), sent);
        assert_eq!(images.len(), sent.len());
        let mut model = ModelInfo::unknown("here", "m");
        model.capabilities.vision = true;
        assert_eq!(images.told_beside(&model), told);
        model.capabilities.vision = false;
        let blind = "here/m cannot see images and is told that there are some".to_owned();
        let expected: Vec<String> = sent.first().map(|_| blind).into_iter().collect();
        assert_eq!(images.told_beside(&model), expected);
    }

    #[test]
    fn earlier_images_come_before_the_questions_own_and_the_newest_have_precedence() {
        let two = "images of earlier messages are sent with the question, oldest first and before \
                   its own: 2";
        check(&Images::default(), vec![], &[]);
        check(&Images::from(images(0..30)), images(0..30), &[]);
        check(&Images::new(images(0..2), images(2..3)), images(0..3), &[two]);
        let left_out = "older images are not sent, for 20 go with a question at most: 3; send \
                        those again that it is about";
        check(&Images::new(images(0..5), images(5..23)), images(3..23), &[two, left_out]);
        check(&Images::new(images(0..3), images(3..25)), images(3..25), &[left_out]);
    }
}
