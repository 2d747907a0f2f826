//! Two sinks as one.

use super::{Finished, Sink, Window};

/// Gives everything to both.
pub struct Tee<A, B>(pub A, pub B);

impl<A: Sink, B: Sink> Sink for Tee<A, B> {
    #[inline]
    fn finished(&mut self, io: &Finished) {
        self.0.finished(io);
        self.1.finished(io);
    }

    fn window(&mut self, window: &Window) {
        self.0.window(window);
        self.1.window(window);
    }

    fn is_broken(&self) -> bool {
        self.0.is_broken() || self.1.is_broken()
    }
}
