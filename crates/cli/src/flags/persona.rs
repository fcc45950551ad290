//! The flags of personas.

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
#[command(
    after_help = "Examples:\n  dossier persona create Ada --preset calm_counselor\n  dossier chat \
                  --persona Ada"
)]
pub enum PersonaCommand {
    /// Make a persona, of a preset or of a prompt of your own
    #[command(after_help = "Examples:\n  dossier persona create Ada --preset calm_counselor\n  \
                            dossier persona create Editor --prompt - < editor.md --temperature 0")]
    Create {
        name: String,
        /// What it is made from, as in calm_counselor; see dossier persona presets
        #[arg(long, value_name = "P", required_unless_present = "prompt")]
        preset: Option<String>,
        #[command(flatten)]
        fields: PersonaFields,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// List the personas, the last used first
    #[command(after_help = "Example:\n  dossier persona list --tag work --json")]
    List {
        /// Those whose time is over as well
        #[arg(long)]
        expired: bool,
        /// A part of the name, the personality, a tag or the id
        #[arg(long, value_name = "TEXT")]
        search: Option<String>,
        #[arg(long, value_name = "TAG")]
        tag: Option<String>,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Show a persona
    #[command(after_help = "Example:\n  dossier persona show Ada")]
    Show {
        /// Its name or its id
        persona: String,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Change some of what a persona is made of
    #[command(after_help = "Example:\n  dossier persona change Ada --temperature 0.3 --days 30")]
    Change {
        /// Its name or its id
        persona: String,
        /// Another name
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        #[command(flatten)]
        fields: PersonaFields,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Give a persona more time
    #[command(after_help = "Example:\n  dossier persona extend Ada --days 30")]
    Extend {
        /// Its name or its id
        persona: String,
        /// Days beyond its end [default: its own number of days from now on]
        #[arg(long, value_name = "N")]
        days: Option<i64>,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Delete a persona with what was said; it can be brought back with dossier forget thread --undo
    #[command(after_help = "Example:\n  dossier persona delete Ada")]
    Delete {
        /// Its name or its id
        persona: String,
        /// At once and for good
        #[arg(long)]
        now: bool,
    },
    /// Delete everything that was said with a persona, for good
    #[command(after_help = "Example:\n  dossier persona clear Ada")]
    Clear {
        /// Its name or its id
        persona: String,
    },
    /// Make, show, change or delete what personas are made from
    #[command(subcommand)]
    Preset(PresetCommand),
    /// List what personas can be made from
    #[command(after_help = "Example:\n  dossier persona presets --json")]
    Presets {
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Subcommand)]
pub enum PresetCommand {
    /// Make a preset of your own
    #[command(
        after_help = "Example:\n  dossier persona preset create Editor --prompt - < editor.md \
                            --temperature 0"
    )]
    Create {
        name: String,
        #[command(flatten)]
        fields: PresetFields,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Show a preset
    #[command(after_help = "Example:\n  dossier persona preset show calm_counselor")]
    Show {
        /// As dossier persona presets names it
        preset: String,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Change some of a preset; one that came with the program becomes a version of your own
    #[command(after_help = "Example:\n  dossier persona preset change calm_counselor --days 30")]
    Change {
        /// As dossier persona presets names it
        preset: String,
        /// Another name
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        #[command(flatten)]
        fields: PresetFields,
        /// Whether personas can be made from it: brings back one that was put away
        #[arg(long, value_name = "BOOL")]
        active: Option<bool>,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Say how well a preset served, or look at how it is used and judged
    #[command(
        after_help = "Example:\n  dossier persona preset rate calm_counselor 4 --comment \"A little \
                      slow\""
    )]
    Rate {
        /// As dossier persona presets names it
        preset: String,
        /// From 1 to 5; without it nothing is added
        rating: Option<i64>,
        /// What was good or bad about it
        #[arg(long, value_name = "TEXT", requires = "rating")]
        comment: Option<String>,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Put a preset away; personas that were made from it stay as they are
    #[command(after_help = "Example:\n  dossier persona preset delete preset-editor")]
    Delete {
        /// As dossier persona presets names it
        preset: String,
        /// At once and for good; one that came with the program is again as it came
        #[arg(long)]
        now: bool,
    },
}

/// What a preset is made of beside its name.
#[derive(Debug, Args)]
pub struct PresetFields {
    /// Who a persona made from it is and how it behaves; `-` reads it from standard input
    #[arg(long, value_name = "TEXT")]
    pub prompt: Option<String>,
    /// What it is good for
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// How a person would describe such a persona
    #[arg(long, value_name = "TEXT")]
    pub personality: Option<String>,
    #[command(flatten)]
    pub numbers: NumberFields,
}

/// What a persona is made of beside its name.
#[derive(Debug, Args)]
pub struct PersonaFields {
    /// Who it is and how it behaves; `-` reads it from standard input
    #[arg(long, value_name = "TEXT")]
    pub prompt: Option<String>,
    /// How a person would describe it
    #[arg(long, value_name = "TEXT")]
    pub personality: Option<String>,
    #[command(flatten)]
    pub numbers: NumberFields,
    /// Model that speaks for it [default: whoever is usually asked]
    #[arg(long, value_name = "M")]
    pub model: Option<String>,
    /// A word to find it by; several are allowed
    #[arg(long, value_name = "TAG")]
    pub tag: Vec<String>,
}

/// The numbers of a persona.
#[derive(Debug, Args)]
pub struct NumberFields {
    /// From 0 to 1 [default: 0.7]
    #[arg(long, value_name = "N")]
    pub temperature: Option<f64>,
    /// Most tokens of a reply [default: 1000]
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<i64>,
    /// Most tokens of earlier messages that are sent: the model's window less 1000 [default: 15000]
    #[arg(long, value_name = "N")]
    pub max_history_tokens: Option<i64>,
    /// Days without a conversation after which it expires [default: 7]
    #[arg(long, value_name = "N")]
    pub days: Option<i64>,
}
