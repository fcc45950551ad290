#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| dossier_fuzz::extract(data));
