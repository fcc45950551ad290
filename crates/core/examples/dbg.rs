use dossier_core::compress::*;
fn main(){ let a="a".repeat(287); let t=format!("http://a.org/{a}. http://aaaa.org/_00a_-=~aa_0(=##~0((%a?~0?(a#0a. AaaAaAAAaAAa_ref:file:_00a00a0aa0aa00a000aaa00a. 000000:0,00:000 %; AAAAA-0000_");
println!("{} {:#?}",t.chars().count(),protected(&t)); for a in [Age::Middle,Age::Old]{println!("{:?}",by_age(&t,a,"msg_01hqvjx9kf3t0q2z8w1mxnbr4c"));} }
