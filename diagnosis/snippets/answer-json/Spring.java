import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;

@RestController
class AnswerController {
    /** Output of your model. An action is none, handover or end: any other word hands the conversation to the team. */
    record Answer(String text, String action, String note) {}

    // Verify the signature first; in that case, parse the raw body yourself.
    @PostMapping("/chat")
    ResponseEntity<Answer> chat(@RequestBody Map<String, Object> event) {
        Map<?, ?> data = event.get("data") instanceof Map<?, ?> map ? map : Map.of();
        boolean mine = "message.received".equals(event.get("type"))
                && data.get("autoReply") instanceof Map<?, ?> reply && "on".equals(reply.get("state"));
        if (!mine) return ResponseEntity.noContent().build(); // stay quiet
        // Fields that are new, null or missing are not errors.
        String text = data.get("message") instanceof Map<?, ?> message && message.get("text") instanceof String words
                ? words : "";
        // Spring sends an object as JSON with its type. A returned String would be sent as text/plain.
        return ResponseEntity.ok(new Answer(
                cut("You wrote: " + text, 4000), "none",
                cut("Answered by the bot: " + text, 500))); // for the team only
    }

    /** Truncate between characters. substring() counts UTF-16 units and may leave half of an emoji. */
    private static String cut(String text, int characters) {
        if (text.codePointCount(0, text.length()) <= characters) return text;
        return text.substring(0, text.offsetByCodePoints(0, characters));
    }
}
