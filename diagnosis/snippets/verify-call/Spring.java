import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.*;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.server.HandshakeInterceptor;

/** registry.addHandler(handler, "/voice").addInterceptors(new SignedCalls()).setAllowedOrigins("*") */
class SignedCalls implements HandshakeInterceptor {
    private static final Pattern HEADER = Pattern.compile("t=([0-9]{1,15}),v1=([0-9a-f]{64})");
    private static final long TOLERANCE_SECONDS = 300;
    private final byte[] secret;

    SignedCalls() {
        String all = System.getenv("AGENT_SECRET"); // whsec_ included; it is not base64
        if (all == null || all.isEmpty()) throw new IllegalStateException("AGENT_SECRET is not set.");
        secret = all.getBytes(StandardCharsets.UTF_8);
    }

    @Override // runs before the upgrade: the client gets a 401, not a closed connection
    public boolean beforeHandshake(ServerHttpRequest request, ServerHttpResponse response,
            WebSocketHandler handler, Map<String, Object> attributes) throws GeneralSecurityException {
        String header = String.join(",", request.getHeaders().getOrEmpty("X-Svc-Signature"));
        String callId = Objects.requireNonNullElse(request.getHeaders().getFirst("X-Svc-Call-Id"), "");
        boolean signed = isSigned(header, callId);
        if (!signed) response.setStatusCode(HttpStatus.UNAUTHORIZED);
        return signed;
    }

    @Override
    public void afterHandshake(ServerHttpRequest request, ServerHttpResponse response,
            WebSocketHandler handler, Exception exception) {}

    /** The signature covers the call id from the header, not the empty body. */
    private boolean isSigned(String header, String callId) throws GeneralSecurityException {
        var parts = HEADER.matcher(header);
        if (!parts.matches() || callId.isEmpty()) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        byte[] expected = mac.doFinal((parts.group(1) + "." + callId).getBytes(StandardCharsets.ISO_8859_1));
        boolean genuine = MessageDigest.isEqual(expected, HexFormat.of().parseHex(parts.group(2)));
        long seconds = System.currentTimeMillis() / 1000;
        return genuine && Math.abs(seconds - Long.parseLong(parts.group(1))) <= TOLERANCE_SECONDS;
    }
}
