from typing import Any
from fastapi import Body, FastAPI, Response

# Until October 2026 eventType was a number; accept both forms.
NUMBERS = ["IncomingCallLookup", "FinishedCall", "NewConversation", "ConversationPaused", "Manual", "FormSubmitted"]
LOOKUPS = ("IncomingCallLookup", "NewConversation")

app = FastAPI()


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


@app.post("/crm")  # a model with an enum, or with extra="forbid", would answer 422 to future events
async def crm(event: dict[str, Any] = Body()):
    answer = look_up(event) if name_of(event.get("eventType")) in LOOKUPS else None
    # An unknown event is not an error: there is no data to add.
    return answer if answer is not None else Response(status_code=204)
