/** Words of the sentences in hints: causes and the observations that prove them. The other catalogues do not contain these. */
export const diagnosisWords: readonly string[] = `
AAAA aborts accents accepting active addition adds allowedHosts altered although ampersand anew Apache appear appended
applies apply Arabic arbitrary arrives aside attacker authenticates authorization automate available awaited backslash
backticks balancer ban bar became began belong best bill bindings bit bits blocks bot browsers busy CA camelCase
caught certain certificates CERTS CGI CGIPassAuth chain challenge changing checking Chinese chunk cipher clients
collect colon colons comma commas comments commonest compares compresses compression computes concatenate concatenated
condition confirmation Connection considers consists contain contained continue continues converts costs crashes
crypto Cyrillic dashboards day dead dealt debugger declares decoder decodes decompressed define defines delegation
dependencies dependency detect detectable detects dialling differ differently disable disables discard displayed
Django DNSSEC documents dollar doubt dumps easy enable enclosed encodes Encoding encodings Encrypt entered escapes
escaping exceeds exceptions exempt exhausted exist exists exits expects explains EXTRA False FFFF filler flushed
forbid force forgery forgets former FPM fresh fullchain group guess harm hashes Hebrew hold hosting hundred hyphens
identifies identify ignores ignoringRequestMatchers including incorrectly indentation Infinity insensitive
insensitively instances integration intermediate intermittently interpolation interpret invalidates invert inverted
invisible IPv4 isBase64Encoded joiner keyless kilobytes Laravel learns Let lift likely listeners little loaders loads
login loses low machines mapping marks matter mismatches mistake mixes mixing models month move MySQL NaN Node None
normal normalisation NTP occurs online ordinary Origin outgoing owed packets pairs parallel parses
particular permissions pieced places Polish preferably prefixes prepare presence present previously printf prints
processor protection puts quotation Rails receives reception reckoned reckons Recognise refers regardless register
rejecting rejects remains removes removing renewal repetitions resolved resolves restart restored rich round rules
scaling schemes search Sec secured seems selects semicolon sensitive separate separately servers
services setting
settles setup shifted showed similar simultaneous skips sleeps slightly slots solve sometimes somewhere sorts speaking
special speed spelled Spring Standard star statements straight structured subarray subprotocol subtraction
successfully summaries supports suspects suspended Svix swapped swaps tab talks tens terminates
throughout throwing trailing treats trimmed trims True truncate truncates tunnel tunnels typeof unanswered undone
unescaped unfiltered unnoticed unpacked unquoted unrelated ups upside UTF8Encoding utf8mb4 validity vertical Vite VPN
wake ways webpack website weight widen window
`
  .trim()
  .split(/\s+/);
