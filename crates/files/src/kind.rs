//! What a file is, by its name alone: a media type, or a reason not to read it.

use std::path::Path;

/// Extensions of pictures, sound and film, archives, programs, fonts, and data.
const BINARY: &str = "
    ai avif blend bmp cur gif glb heic icns ico jpeg jpg jxl png psd tif tiff webp
    aac avi flac flv m4a m4v mkv mov mp3 mp4 mpeg mpg ogg opus swf wav webm wma wmv
    7z br bz2 cab deb dmg gz img iso lz4 msi rar rpm tar tgz whl xz zip zst
    a apk bin class dll dylib ear exe jar lib o pdb pyc pyd pyo rlib rmeta so war wasm
    eot otf ttf woff woff2
    db gguf h5 npy npz onnx parquet pickle pkl pt pth safetensors sqlite sqlite3 tflite
";

/// Extensions of documents whose text nobody here can take out.
const UNREAD: &str = "doc mobi odp ods ppt xls xlsb xlsm xlsx";

/// Whether the extension says that there is text inside that cannot be taken out.
pub(crate) fn is_unread(path: &str) -> bool {
    let extension = extension(path);
    UNREAD.split_whitespace().any(|unread| unread == extension)
}

/// Whether the extension says that there is no text inside.
pub(crate) fn is_binary(path: &str) -> bool {
    let extension = extension(path);
    BINARY.split_whitespace().any(|binary| binary == extension)
}

/// The media type of a file, by its extension; `text/plain` for what is not known.
pub fn mime(path: &str) -> &'static str {
    match extension(path).as_str() {
        "md" | "markdown" | "mdx" | "mdown" => "text/markdown",
        "rst" => "text/x-rst",
        "adoc" | "asciidoc" => "text/x-asciidoc",
        "tex" => "text/x-tex",
        "html" | "htm" | "xhtml" => "text/html",
        "pdf" => "application/pdf",
        "docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "pptx" => "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "odt" => "application/vnd.oasis.opendocument.text",
        "epub" => "application/epub+zip",
        "ipynb" => "application/x-ipynb+json",
        "eml" => "message/rfc822",
        "mbox" => "application/mbox",
        "css" => "text/css",
        "scss" | "sass" => "text/x-scss",
        "csv" => "text/csv",
        "tsv" => "text/tab-separated-values",
        "json" | "jsonc" | "json5" => "application/json",
        "jsonl" | "ndjson" => "application/x-ndjson",
        "yaml" | "yml" => "application/yaml",
        "toml" => "application/toml",
        "xml" | "xsd" | "xsl" => "application/xml",
        "svg" => "image/svg+xml",
        "sql" => "application/sql",
        "rs" => "text/x-rust",
        "py" | "pyi" => "text/x-python",
        "js" | "mjs" | "cjs" | "jsx" => "text/javascript",
        "ts" | "mts" | "cts" | "tsx" => "text/x-typescript",
        "svelte" => "text/x-svelte",
        "vue" => "text/x-vue",
        "go" => "text/x-go",
        "java" => "text/x-java",
        "kt" | "kts" => "text/x-kotlin",
        "scala" => "text/x-scala",
        "swift" => "text/x-swift",
        "c" | "h" => "text/x-c",
        "cc" | "cpp" | "cxx" | "hh" | "hpp" | "hxx" => "text/x-c++",
        "cs" => "text/x-csharp",
        "rb" => "text/x-ruby",
        "php" => "text/x-php",
        "pl" | "pm" => "text/x-perl",
        "lua" => "text/x-lua",
        "r" => "text/x-r",
        "ex" | "exs" => "text/x-elixir",
        "erl" => "text/x-erlang",
        "hs" => "text/x-haskell",
        "clj" | "cljs" => "text/x-clojure",
        "zig" => "text/x-zig",
        "dart" => "text/x-dart",
        "sh" | "bash" | "zsh" => "text/x-shellscript",
        "ps1" => "text/x-powershell",
        "proto" => "text/x-protobuf",
        "diff" | "patch" => "text/x-diff",
        _ => "text/plain",
    }
}

pub(crate) fn extension(path: &str) -> String {
    Path::new(path)
        .extension()
        .map(|extension| extension.to_string_lossy().to_lowercase())
        .unwrap_or_default()
}
