/** Words of the sentences that name causes and how they were seen, which hints are made of; the catalogue has no others. */
export const diagnosisWords: readonly string[] = `
AAAA accents adds allowedHosts ampersand anew Apache appear appended apply arrives aside asleep authorization awaited
backslash backticks balancer ban bar began best bill bindings bit bits bot busy CA camelCase care caught certain
certificates CERTS CGI CGIPassAuth chain checking chunk cipher clients collect colon colons comma commas comments
commonest compares compresses computes condition confirmation Connection contain costs dashboards day dead dealt
debugger decoder decodes delegation demand demands dependency dialling differ differently Django DNSSEC documents
doubt dumps easy Encoding encodings Encrypt entered escapes exchanged exempt exist exists expects explains EXTRA False
faster FFFF filler flushed forbid force forgery forgets FPM fresh fullchain group guess harm hashes hosting hundred
hyphens ignoringRequestMatchers indentation Infinity instances integration intermediate IPv4 joiner keyless kilobytes
Laravel lasts learns Let lift likely listeners little loaders loads login loses low machines mapping marks matter
mistake mixing models month MySQL NaN Node None normalize noticed NTP occurs online ordinary Origin outgoing owed
pairs pasting upside parses permissions pieced places prefixes prepare presence present printf processor protection
quotation Rails receives reception reckoned reckons register renewal restart restored rich rotation round rules
scaling schemes Sec secured seems semicolon servers services setting settles shifted sleeps solve somewhere sorts
speaking spelled Spring star statements straight Standard Svix structured subarray subprotocol subtraction summaries
suspects swapped T09 tab talks tens throughout throwing ties trimmed trims True tunnel tunnels typeof unanswered
undoes undone unpacked ups UTF8Encoding utf8mb4 vertical Vite wake ways webpack website weight wholes widen window
`
  .trim()
  .split(/\s+/);
