import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;

@RestController
class ChatController {
    private static final Pattern HEADER = Pattern.compile("t=([0-9]{1,15}),v1=([0-9a-f]{64})");
    private static final long TOLERANCE_SECONDS = 300;
    private final byte[] secret;

    ChatController() {
        String all = System.getenv("AGENT_SECRET"); // whsec_ included; it is not base64
        if (all == null || all.isEmpty()) throw new IllegalStateException("AGENT_SECRET is not set.");
        secret = all.getBytes(StandardCharsets.UTF_8);
    }

    @PostMapping("/chat") // byte[], not String and not an object: a converter would change the signed bytes
    ResponseEntity<Void> chat(
            @RequestHeader(value = "X-Svc-Signature", defaultValue = "") String header,
            @RequestBody(required = false) byte[] body) throws GeneralSecurityException {
        if (!isSigned(header, body == null ? new byte[0] : body)) return ResponseEntity.status(401).build();
        // Only now: objectMapper.readTree(body)
        return ResponseEntity.noContent().build();
    }

    /** Returns whether the header has a fresh signature of exactly these bytes. Garbage is false, not an exception. */
    private boolean isSigned(String header, byte[] payload) throws GeneralSecurityException {
        var parts = HEADER.matcher(header);
        if (!parts.matches()) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        mac.update((parts.group(1) + ".").getBytes(StandardCharsets.US_ASCII));
        boolean genuine = MessageDigest.isEqual(mac.doFinal(payload), HexFormat.of().parseHex(parts.group(2)));
        long seconds = System.currentTimeMillis() / 1000;
        return genuine && Math.abs(seconds - Long.parseLong(parts.group(1))) <= TOLERANCE_SECONDS;
    }
}
