from flask import Flask, request

# Until October 2026 eventType was a number; accept both forms.
NUMBERS = ["IncomingCallLookup", "FinishedCall", "NewConversation", "ConversationPaused", "Manual", "FormSubmitted"]
LOOKUPS = ("IncomingCallLookup", "NewConversation")

app = Flask(__name__)


def name_of(event_type):
    if type(event_type) is int and 0 <= event_type < len(NUMBERS):
        return NUMBERS[event_type]
    return event_type


def look_up(event):
    """Every field may be null, missing or new. Read the fields that you need and ignore the others."""
    phone = (event.get("contactData") or {}).get("phoneNumber")
    if not isinstance(phone, str):
        return None
    contact = {"crmContactId": f"customer-{phone}"}  # ask your own system; ids are strings
    return {"requestContactUpdate": True, "contactData": contact, "requestProjectUpdate": False}


@app.post("/crm")
def crm():
    event = request.get_json()
    answer = look_up(event) if name_of(event.get("eventType")) in LOOKUPS else None
    # An unknown event is not an error: there is no data to add.
    return answer if answer is not None else ("", 204)
