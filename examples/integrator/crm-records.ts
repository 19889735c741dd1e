import type { BrandedNames } from './branded-names.ts';

export interface Customer {
  crmContactId: string;
  phone: string;
  firstName: string;
  lastName: string;
  /** Has agreed to messages about orders and appointments. */
  serviceConsent: boolean;
  /** Read to callers by the assistant. A caller id can be forged: keep out what a stranger must not hear. */
  aiInfo: string;
}

export interface CaseNote {
  crmProjectId: string;
  text: string;
}

const CUSTOMERS: readonly Customer[] = [
  {
    crmContactId: 'K-1001',
    phone: '+4930901820',
    firstName: 'Erika',
    lastName: 'Beispiel',
    serviceConsent: true,
    aiInfo: 'Long-standing customer. Prefers appointments in the morning.',
  },
  {
    crmContactId: 'K-1002',
    phone: '+4989123456',
    firstName: 'Jonas',
    lastName: 'Muster',
    serviceConsent: true,
    aiInfo: 'New customer. Prefers to be answered in English.',
  },
  {
    crmContactId: 'K-1003',
    phone: '+431234567',
    firstName: 'Zoë',
    lastName: 'Özdemir-Lang',
    serviceConsent: false,
    aiInfo: 'Usually asks about deliveries.',
  },
];

/** Replace it with your CRM: everything is asynchronous, as it would be there. */
export class CrmRecords {
  readonly #customers: ReadonlyMap<string, Customer>;
  readonly #cases = new Map<number, string>();
  readonly #notes: CaseNote[] = [];
  #lastCase = 5000;

  constructor(customers: readonly Customer[] = CUSTOMERS) {
    this.#customers = new Map(customers.map((customer) => [customer.phone, customer]));
  }

  all(): readonly Customer[] {
    return [...this.#customers.values()];
  }

  async findByPhone(phone: string): Promise<Customer | undefined> {
    return this.#customers.get(internationalForm(phone));
  }

  /** The case of a project: its own, else the one opened for it before, else a new one. */
  async caseOf(svcProjectId: number, known: string | undefined): Promise<string> {
    const id = known ?? this.#cases.get(svcProjectId) ?? `C-${String(++this.#lastCase)}`;
    this.#cases.set(svcProjectId, id);
    return id;
  }

  async addNote(note: CaseNote): Promise<void> {
    this.#notes.push(note);
  }

  state({ projectId }: BrandedNames): { cases: Record<string, number | string>[]; notes: CaseNote[] } {
    const cases = [...this.#cases].map(([id, crmProjectId]) => ({ [projectId]: id, crmProjectId }));
    return { cases, notes: [...this.#notes] };
  }
}

/** Customers are stored as `+` and digits; a number may be written with spaces, brackets, or 00 in front. */
function internationalForm(phone: string): string {
  return phone.replace(/[\s()/.-]/g, '').replace(/^00/, '+');
}
