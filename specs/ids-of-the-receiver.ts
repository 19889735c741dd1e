/** Fields with ids that only the receiver of CRM events itself could have given, so it may rely on their form. */
export const idsOfTheReceiver: readonly string[] = ['crmContactId', 'crmProjectId'];
