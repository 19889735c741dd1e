/** Common words that are not names, and are not learned as names in any place. */
export const functionWords: readonly string[] = `
a aber about after again all alle als also am an and any anybody anyone anything are as at auch auf aus away back be
because been before bei being between bin bis bitte both but by can cannot could das dass dein dem den der des did die
dies diese dieser do doch does doing done down du durch each ein eine einem einen einer either else er es even ever
every everybody everything few for from further für gegen get gets go goes going good got haben had has hat have
having he her here hers heute him his how i ich if ihm ihn ihr im in into is ist it its itself ja jetzt just kann kein
keine können later least less let like made make makes man many may me mein mich mir mit more morgen most much must my
myself nach nein neither never next nicht nichts no nobody noch none nor not nothing now nur ob oder of off ohne on
once one only or other others our ours out over own per please quite rather same say says see seen sehr sein several
shall she should sich sie since sind so some somebody something soon still such take than thank thanks that the their
theirs them then there these they thing things this those three through to today together tomorrow too two um und
under uns unser unter until up upon us use very vom von vor war warum was we weil well wenn wer were what when where
whether which while who whom whose why wie will wir wird with within without wo would yes yet you your yours zu zum
zur über
`
  .trim()
  .split(/\s+/);

/** First names that are also words. Capitalised, they are names, even at the start of a sentence. */
export const firstNames: readonly string[] = `
ada amber april august autumn basil ben bill bob bud carol charity christian clay cliff dale dawn dolly dot drew duke
earl ed ernest eve faith fern finn frank gene glen grace grant guy harmony harper hazel heath heather holly hope iris
ivy jack jade jan jasmine jean jewel jordan josh joy juan jules julia june kai ken kit laurel leo lily marina mark
mason max may melody mercy mike miles milan misty nick noel norm nova olive otto pat patience paul pearl peg penny
perry pierce piper poppy ray rex rich rob robin rocky rod rose ruby rusty sam sandy sasha sid sonny stella sue summer
sunny terry tim tom tony troy val van victor viola wade warren wes will
`
  .trim()
  .split(/\s+/);

/** Words that are capitalised within a sentence too. */
export const capitalWords: readonly string[] = `
Accept Basic Bearer Chrome Digest English Error Exception Fri Friday German Gateway Internal JavaScript Linux Mon
Monday Mozilla Not Port Python Request Sat Saturday Server Service Sun Sunday Thu Thursday Tue Tuesday Type Wed
Wednesday
`
  .trim()
  .split(/\s+/);

/** Words of the web, of logs and of our own messages that neither the catalogue nor the schemas contain. */
export const technicalWords: readonly string[] = `
ab abandoned able abort aborted absent ac accept accepts access accessing account ack acting acts addr affair ago
agree ahead alarm alert alive allow alpine alpn amount amp amz announced answer answered answers apache api apos app
application arg args argument arguments arm array arrayed asc ask asked asking asn assert assertion assumptions async
at attempt attempts attention attr auth authenticate authorisation authority auto average await aws azure backend bad
badge base base64 base64url basic bearer bearers become begin beginning beginnings begins believing beyond billing bin
birth birthday blank block blocked bodies body bool boolean br bring broken brought brown browser buffer bug build
bullet bytea bytes cache cached callback callbacks called caller calling calls cannot car carried case cases catch
catches cause caused cdn center cert certificate certified certifies certify cest cet channel char chars charset check
checked child chore chunked class cli client clip clock close closed closes closing cloudflare clue cluster code codes
colour com command comment commit compress compressed config configuration confirm conform conformance conn connect
connected connecting connection connections connects consistent console constant consultation container containers
content control controller cookie core correct cors count counterpart cpu crash crashed created crm cron csp csrf css
ctx current cursor customer customers cut cwd daemon dash data database date datetime db deadline debian debug
declared declined decode decoded decoding def default deflate del delay delayed deliver delivered delivery demo denied
deploy desc deserialize dest detail details dev develop device diagnostic dialled dialogue dialogues dict diff digest
digits dir directory disconnect disconnected dist disturbed div divided dns dnt dob docker document documented does
dog dom domain domparser dot dots down dr drawn drop dropped drops dtmf dto dump duplicate duration eacces eaddrinuse
eai early echo econnaborted econnrefused econnreset ed25519 edge edited edt effect effects ehostunreach eintr elapsed
element empty emulation enabled encode encoded encoding encrypted end ended endings endpoint ends engine enoent
enotfound enter entity entries entry enum env environment eof epipe epoch err errno error errors escape esm est
establish established etag etc etimedout event events evt example except exception exclude excuses exe exec exercise
exif exit exited expect expected expired expires explain export exposes express ext extends extra extraordinary
factory fail failed failing fails failure false family fast fastify fatal fault faults favicon fax fe feed fetch fi
field fields file files filter finding finished firma first fit fix flag flask flight float floor fn folder font foo
footer forbidden form format formerly forwarded found fox fraction fragments frame frames frau fri friday from front
full func function garbage gateway gb gcp generated generation generators genuine get getaddrinfo getting gi gib git
given glob gmt go golang gone gpu greeting greetings groups grpc gson gt guid gunicorn gz gzip h2 half handle handled
handler handlers handles handling handshake hang harness has hash haven head header headers health heartbeat height hello help
helper herr hex hi hidden high hint histories hmac holder home hook hooks host hostname hosts hr href hs256 html http
http11 http2 https hung icon icu id idempotency identical identity idle ids ignored iis illegal image img immediately
impl implementation import inbox include includes index info init inline inner input insecure inside inst install
instance int integer integrator interface interim internal interrupted interrupts invalid invoke io ip ipc ipv4 ipv6
is iso isolate issue item items iterable iv jar java javascript javax jetty job jobs join js json judge judgement
judges jumps justify jvm jwks jwt kb keep keepalive kept kestrel key keys keyword kib kill killed kind known koa kunde
kunden lacks lang language large last late latency latin1 lax layer lazy leave leaves led left len length level li lib
libc library license light likewise limit line lines link links linux list listen listener listening lived load local
locale localhost location lock locked log logger logging logs long looks loop lost lower lt lvl mac main maintenance
malformed manager map mark match matched matches max maximum mb md md5 meaning meanwhile measured media melt member
members memory menu merge message messages meta metadata method methods mib micro middle middleware midst millisecond
mime minimum minute minutes missing mixed mjs mobile mock mod mode model modest modified module modules mon monday
mongo more morning mornings most mozilla mr mrs ms msg msisdn multipart mysql nachname name named names nan native
navigate nbsp near negative net netty network never new newest newly next nginx nickname nil nl node nodejs noindex
none nosniff not note notes nowhere npm npx nr nt null nullable number numbers oauth obj object objects observable
observation observed ocsp off offer offered offers offline offset oidc ok old omit once open openapi opened openssl
operation operations operator option options orange order ordered organisation organization origin orm ort os other
out outside over oversight own pace package packet page paid pair panic param parameter parameters params parse parsed
parser part partial partly passed passing password patch path patience pattern paused payload payloads pays pdf pdt
peer pem pending people per perf performance permission permitted person persons pg phone php phpfpm pid ping pipe
placed placeholder plain planted play played plz pm2 png pnpm pointer policy poll pong pool port possible post
postgres postgresql pre prefers prefix pressed previous print private problem proc process processed processing prod
prof program progress promise promises proof property propose protocol prove provide proving proxy pst pub pubkey
public publish pull put py python qs query question queue quick quot quota quote quotes rack rails ram ran random
range rank rate raw rc reached react read reader reading readonly ready real reason received receiver recommendation
record recorded records rect redacted redelivered redirect redirects redis ref referer referrer refuse refused refuses
regex regexp region reject rejected rejection related released remote remove render renewed repeat repeatable repeated
repeating replay replays replied reply report reporter repository reproducible req request requested requests required
requires rerun res reset resets resource respond responded responding responds response rest result results resume
resumed resuming retries retry retrying return returned returning returns rev revision rfc rid room root route router
routes row rpc rs256 rss ruby run running runs runtime rx safe sales same samesite sample sat satisfies saturday save
saved say saying says scanning scheduled schema scheme script sdk sec second seconds secret section sections secure
security seed seen select selected self semi send sending sends sent sentence sentences seq sequence serialisation
serialise serialization serialize series serve server service servlet session sessions set settings severity sh sha1
sha256 sha512 shape short should show shown sid sigint sigkill sign signal signalled signature signatures signed
sigterm silent simulated single site size skip skipped slash sleep slow smtp snapshot sni sock socket something sort
source space span speak speaks spec specs spent split spoil spoke spoken spring sql sqlite src ssl sso st stack stale
standard standing start started starting starts state stated states status stayed stderr stdin stdout step still stmt
stop stopped stopping stops store stored str strasse stream street strict string stringify strings strip style sub
subject submit succeeded success such sudden sudo suite sun sunday surname survey svc sync syntax sys system table tag
tags talk tame target tb tcp tcpsocket team telefon telephone template temporary ten tenant terminal terminate
terminated test tests text than third thorough thread threads threw throttled throttles throw throws thu thursday tib
ticket tie time timed timeout times timestamp timing title tls tmp today todo token tokens tomcat too took tool tools
topic total town trace traceback traceparent tracestate transaction transfer transport tried tries trigger trim
troubled true trust try tue tuesday turn turns twice tx txt type typed typeerror types typical ubuntu udp ui ul
unblocked uncaught undefined understood undici undisturbed unexpected unfinished unhandled unicode unique unit unix
unknown unless unmarshal unnamed unpacks unreachable unread unseen unsupported until unused unusual unverified update
updated upgrade upper upstream urgent uri url urls usage user usr usual utc utf utf16 utf8 uuid uvicorn v1 v2 v3 vain
val value values var variable vary verdicts verifies version via view violations visible visit vitest vm void vorname
vue w3c wait waited waiting waits waived waiver waives walk wants warn warning wasm watch web webchat webhook webhooks
websocket websockets wed wednesday week weird whd whe whole widths wire without work worker workers workflow works
write writer writes writing written wrong wrongly wrote ws wsgi wss www x509 xhr xhtml xml xss yaml year years yellow
yield yml zero zip zone
`
  .trim()
  .split(/\s+/);
