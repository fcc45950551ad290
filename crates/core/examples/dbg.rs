use dossier_core::{compress::*,chunk::*,tokens::*,intent};
use std::time::Instant;
fn main(){ 
    for part in ["a", "1", "1,", "1 ", " ", "日", "a:", "://", "https://a.org/(", "```\n", ". ", "-_","12345 https://a.org/x ABC-123 word. ","the quick brown fox jumps over the lazy dog. ","{\"id\":\"abc123\",\"n\":1.5},"] {
        let text = part.repeat((10<<20) / part.len());
        let i=Instant::now(); let _=protected(&text); let p=i.elapsed();
        let i=Instant::now(); let _=is_untouchable(&text); let u=i.elapsed();
        let i=Instant::now(); let _=by_age(&text,Age::Old,"msg_1"); let b=i.elapsed();
        let i=Instant::now(); let _=prose(&text); let pr=i.elapsed();
        let i=Instant::now(); let _=lines(&text); let l=i.elapsed();
        let i=Instant::now(); let _=Tokenizer::O200k.count(&text); let t=i.elapsed();
        let i=Instant::now(); let _=windows(&text,256,|s|s.len()/4); let w=i.elapsed();
        let i=Instant::now(); let _=intent::detect(&text); let n=i.elapsed();
        println!("{part:12?} protected {p:.0?} untouchable {u:.0?} by_age {b:.0?} prose {pr:.0?} lines {l:.0?} tokens {t:.0?} windows {w:.0?} intent {n:.0?}");
    }
    for (n,t) in [("dashes","-".repeat(10<<20)),("lines of 200 =",format!("{}\n","=".repeat(200)).repeat(50_000)),("lines of = of all lengths",(0..40_000).map(|n|"=".repeat(1+n*7%500)+"\n").collect()),("tabs","\t".repeat(10<<20)),("/","/".repeat(10<<20)),("emoji","😀".repeat(10<<18)),("nul","\0".repeat(10<<20))] { for k in [Tokenizer::O200k,Tokenizer::Cl100k] { let i=Instant::now(); let c=k.count(&t); println!("{n} {k} {c} {:.0?} ({} MB)",i.elapsed(),t.len()>>20); } }
}
