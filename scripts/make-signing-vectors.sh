#!/bin/sh
# Writes specs/signing-vectors.json with openssl, so that our own signing is held to another implementation.
# Needs openssl, od, base64 and node; run it only to make the vectors anew.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# hmac SECRET FILE: hex HMAC-SHA256 of the file, keyed by the secret's UTF-8 bytes as they are
hmac() {
  key=$(printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n')
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" "$2" | sed 's/^.*= *//'
}

# body NAME SECRET T: signs what arrives on standard input
body() {
  cat > "$work/body"
  { printf '%s.' "$3"; cat "$work/body"; } > "$work/signed"
  printf 'body\t%s\t%s\t%s\t%s\tt=%s,v1=%s\n' \
    "$1" "$2" "$3" "$(base64 < "$work/body" | tr -d '\n')" "$3" "$(hmac "$2" "$work/signed")" >> "$work/vectors"
}

# call NAME SECRET T CALL_ID: signs an upgrade request
call() {
  printf '%s.%s' "$3" "$4" > "$work/signed"
  printf 'call\t%s\t%s\t%s\t%s\tt=%s,v1=%s\n' "$1" "$2" "$3" "$4" "$3" "$(hmac "$2" "$work/signed")" >> "$work/vectors"
}

hook='vector-secret-of-a-subscription'
agent='whsec_c3ZjLWNvbmZvcm0tdmVjdG9yLXNlY3JldA=='

body 'empty body' "$hook" 1791712800 < /dev/null
printf '%s' '{"id":"delivery-1","type":"appointment.created","workspaceId":7}' | body 'plain JSON' "$hook" 1791712800
printf '%s' '{ "id" : "delivery-1",  "type":	"appointment.created" }' | body 'white space inside' "$hook" 1791712801
printf '{"id":"delivery-1"}\n' | body 'newline at the end' "$hook" 1791712802
printf '{\r\n  "id": "delivery-1"\r\n}\r\n' | body 'CRLF line ends' "$hook" 1791712803
printf '%s' '{"text":"Gr\u00fc\u00dfe aus K\u00f6ln"}' | body 'umlauts as \u escapes' "$agent" 1791712804
printf '%s' '{"text":"Grüße aus Köln"}' | body 'umlauts as they are' "$agent" 1791712804
printf '%s' '{"text":"👩‍🔧 𝒮𝓋𝒸 ok"}' | body 'astral text' "$agent" 1791712805
printf '{"text":"\377\376\200 not UTF-8"}' | body 'bytes that are not UTF-8' "$agent" 1791712806
printf '%s' '{"id":"evt_vector01","type":"ping"}' | body 'secret that looks like base64 is used as text' "$agent" 1791712807
printf '%s' '{"id":"evt_vector01","type":"ping"}' | body 'umlauts in the secret' 'whsec_schlüssel-größe-ß' 1791712807
printf '%s' '{"replyUrl":"https:\/\/api.example\/v1\/projects\/1\/agent-replies"}' | body 'escaped slashes' "$agent" 1791712808
printf '\357\273\277{"id":"delivery-1"}' | body 'byte order mark' "$hook" 1791712809
printf '%s' '{"id":"delivery-1"}' | body 'smallest t of ten digits' "$hook" 1000000000
printf '%s' '{"id":"delivery-1"}' | body 'largest t of ten digits' "$hook" 9999999999
{ printf '{"text":"'; head -c 65525 /dev/zero | tr '\0' 'x'; printf '"}'; } | body 'body of 64 KB' "$agent" 1791712810

call 'call id' "$agent" 1791712811 'call-0001'
call 'call id with other characters, umlauts in the secret' 'whsec_schlüssel-größe-ß' 1791712812 'CA9f.8e:7d/6c+5b=='

node -e "
  const lines = require('fs').readFileSync(process.argv[1], 'utf8').trimEnd().split('\n').map((line) => line.split('\t'));
  const printable = (bytes) => {
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      return text.length <= 500 && !text.startsWith('\ufeff') ? { bodyText: text } : {};
    } catch { return {}; }
  };
  const vectors = lines.filter(([kind]) => kind === 'body').map(([, name, secret, t, bodyBase64, header]) =>
    ({ name, secret, t: Number(t), ...printable(Buffer.from(bodyBase64, 'base64')), bodyBase64, header }));
  const callIdVectors = lines.filter(([kind]) => kind === 'call').map(([, name, secret, t, callId, header]) =>
    ({ name, secret, t: Number(t), callId, header }));
  console.log(JSON.stringify({ vectors, callIdVectors }, null, 2));
" "$work/vectors" > "$work/json"
mv "$work/json" specs/signing-vectors.json
