import { currentRecord } from '../harness/checks/check-record.ts';

/** Adds a remark to a pass. */
export function addRemark(remark: string): void {
  const record = currentRecord();
  if (record) record.note = remark;
}
