import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.*;
import java.lang.reflect.*;
import java.net.InetSocketAddress;
import java.util.*;
import java.util.concurrent.Executors;
import org.springframework.http.*;
import org.springframework.http.server.*;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.socket.*;
import org.springframework.web.socket.handler.TextWebSocketHandler;
import org.springframework.web.socket.server.HandshakeInterceptor;

/**
 * ServeSnippets TOPIC=CLASS...: serves each controller below /TOPIC, as Spring would, 503 where it does not start, and
 * prints the port.
 */
class ServeSnippets {
    private static final ObjectMapper JSON = new ObjectMapper();

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        for (String arg : args) {
            String[] parts = arg.split("=");
            Constructor<?> constructor = Class.forName(parts[1]).getDeclaredConstructor();
            constructor.setAccessible(true);
            Object bean;
            try {
                bean = constructor.newInstance();
            } catch (InvocationTargetException error) {
                System.err.println(error.getCause());
                server.createContext("/" + parts[0], exchange -> answer(exchange, ResponseEntity.status(503).build()));
                continue;
            }
            if (bean instanceof TextWebSocketHandler handler) {
                server.createContext("/" + parts[0] + "/voice", exchange -> answer(exchange, talk(handler, exchange)));
            }
            if (bean instanceof HandshakeInterceptor interceptor) {
                server.createContext("/" + parts[0] + "/voice", exchange -> answer(exchange, shakeHands(interceptor, exchange)));
            }
            for (Method method : bean.getClass().getDeclaredMethods()) {
                PostMapping mapping = method.getAnnotation(PostMapping.class);
                if (mapping == null) continue;
                method.setAccessible(true);
                server.createContext("/" + parts[0] + mapping.value()[0],
                        exchange -> answer(exchange, call(bean, method, exchange)));
            }
        }
        server.start();
        System.out.println("port " + server.getAddress().getPort());
    }

    private static ResponseEntity<?> call(Object bean, Method method, HttpExchange exchange) {
        try {
            byte[] body = exchange.getRequestBody().readAllBytes();
            List<Object> values = new ArrayList<>();
            for (Parameter parameter : method.getParameters()) {
                RequestHeader header = parameter.getAnnotation(RequestHeader.class);
                if (header != null) {
                    List<String> given = exchange.getRequestHeaders().get(header.value());
                    if (given == null && header.defaultValue().equals(RequestHeader.NONE)) return ResponseEntity.status(400).build();
                    values.add(given == null ? header.defaultValue() : String.join(",", given));
                } else if (parameter.getType() == byte[].class) {
                    if (body.length == 0 && parameter.getAnnotation(RequestBody.class).required()) return ResponseEntity.status(400).build();
                    values.add(body.length == 0 ? null : body);
                } else {
                    values.add(JSON.readValue(body, Map.class));
                }
            }
            return (ResponseEntity<?>) method.invoke(bean, values.toArray());
        } catch (com.fasterxml.jackson.core.JsonProcessingException error) {
            return ResponseEntity.status(400).build();
        } catch (Exception error) {
            return ResponseEntity.status(500).build();
        }
    }

    /** A session that keeps what is sent on it. */
    private static class Session implements WebSocketSession {
        final String id;
        final List<Object> sent = Collections.synchronizedList(new ArrayList<>());
        Session(String id) { this.id = id; }
        public String getId() { return id; }
        public void sendMessage(WebSocketMessage<?> message) throws java.io.IOException {
            sent.add(JSON.readValue((String) message.getPayload(), Map.class));
        }
    }

    private static final Map<String, Session> SESSIONS = new java.util.concurrent.ConcurrentHashMap<>();

    /**
     * A body is a frame of the call that X-Session names; the answer holds all that was sent in it. X-Busy-Ms says how
     * long the session is busy before it takes the frame, so that what would be sent meanwhile waits for it.
     */
    private static ResponseEntity<?> talk(TextWebSocketHandler handler, HttpExchange exchange) {
        try {
            String frame = new String(exchange.getRequestBody().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            Session session = SESSIONS.computeIfAbsent(exchange.getRequestHeaders().getFirst("X-Session"), Session::new);
            String busy = exchange.getRequestHeaders().getFirst("X-Busy-Ms");
            Method take = handler.getClass().getDeclaredMethod(
                    "handleTextMessage", WebSocketSession.class, TextMessage.class);
            take.setAccessible(true);
            if (!frame.isEmpty() && busy == null) take.invoke(handler, session, new TextMessage(frame));
            if (busy != null) {
                synchronized (session) {
                    Thread.sleep(Long.parseLong(busy));
                    take.invoke(handler, session, new TextMessage(frame));
                }
            }
            return ResponseEntity.ok(List.copyOf(session.sent));
        } catch (Exception error) {
            return ResponseEntity.status(500).build();
        }
    }

    /** 204 stands for an upgrade that is let through. */
    private static ResponseEntity<?> shakeHands(HandshakeInterceptor interceptor, HttpExchange exchange) {
        int[] status = {500};
        ServerHttpRequest request = () -> new HttpHeaders(exchange.getRequestHeaders());
        ServerHttpResponse response = code -> status[0] = code.value();
        try {
            boolean passes = interceptor.beforeHandshake(request, response, null, new HashMap<>());
            return ResponseEntity.status(passes ? 204 : status[0]).build();
        } catch (Exception error) {
            return ResponseEntity.status(500).build();
        }
    }

    private static void answer(HttpExchange exchange, ResponseEntity<?> entity) throws java.io.IOException {
        byte[] body = entity.body == null ? new byte[0] : JSON.writeValueAsBytes(entity.body);
        if (body.length > 0) exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(entity.status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) exchange.getResponseBody().write(body);
        exchange.close();
    }
}
