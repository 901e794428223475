mod vectors;

use std::io::{BufWriter, Write};

fn main() {
    let mut args = std::env::args().skip(1);
    let folder = args.next().expect("a folder");
    let mut out = BufWriter::new(std::io::stdout());
    vectors::each_vector(folder.as_ref(), &args.collect(), |v| {
        let row = [v.id.as_str(), &v.rule, &v.document, v.expected, &v.needs.join(","), &v.reading].join("\t");
        writeln!(out, "{row}\t{}\t{:08x}", v.text.len(), crc32(&v.text)).unwrap();
    })
    .unwrap();
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 })
    })
}
