import { defineResource } from '../../declaration/define-resource.ts'
import { relation } from '../../fields/link-kinds.ts'
import { text } from '../../fields/text-kinds.ts'
import { choiceOf, integer, jsonField } from '../../fields/value-kinds.ts'

/**
 * Every audited action (checklist §10). A new action needs an item here and a migration of the column's
 * check.
 */
export const auditActions = [
  'record.create',
  'record.update',
  'record.remove',
  'record.restore',
  'sign-in',
  'sign-in.failed',
  'sign-in.throttled',
  'sign-out',
  'register',
  'password.forgot',
  'password.refused',
  'password.reset',
  'password.change',
  'email.change',
  'two-step.on',
  'two-step.off',
  'two-step.refused',
  'two-step.recovery',
  'two-step.reset',
  'session.end',
  'sessions.end',
  'user.invite',
  'user.block',
  'user.unblock',
  'user.password-letter',
  'access.denied',
  'export',
  'report.export',
  'report.share',
  'report.withdraw',
  'report.schedule',
  'report.unschedule',
  'backup.take',
  'backup.prove',
  'organisation.change',
  'letter.test',
  'memory.import',
  'memory.remove',
] as const
export type AuditAction = (typeof auditActions)[number]

/**
 * One line of the audit: who did or tried what, from where and when. The program adds lines; nobody changes
 * one.
 */
export const audit = defineResource({
  name: 'audit',
  wire: 'audit',
  screens: [{ path: 'audit', section: 'people', overview: true }],
  title: 'action',
  titleChoice: 'action',
  noTrash: true,
  appendOnly: true,
  fields: {
    action: choiceOf(auditActions, { required: true, readOnly: true, exact: true }),
    // The audit line stores the id of a deleted account, because a line never changes.
    user: relation('users', { readOnly: true, onDelete: 'keep' }),
    resource: text({ readOnly: true, maxLength: 63 }),
    entry: integer({ readOnly: true }),
    details: jsonField({ readOnly: true }),
    address: text({ readOnly: true, maxLength: 45 }),
    request_id: text({ readOnly: true, maxLength: 64 }),
    // Position of the line in the chain, and the hash over all earlier lines; empty until the line is sealed.
    seal: integer({ readOnly: true, unique: true }),
    hash: text({ readOnly: true, maxLength: 64, exact: true }),
  },
  list: {
    // A narrow window shows the first columns: who, when and what.
    columns: ['action', 'user', 'createdAt', 'resource', 'entry', 'address'],
    search: ['address', 'request_id'],
    filters: ['action', 'user'],
    sort: 'createdAt:desc',
  },
  access: { read: 'admin' },
})
