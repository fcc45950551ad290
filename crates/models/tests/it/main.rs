//! The models against servers on loopback.
