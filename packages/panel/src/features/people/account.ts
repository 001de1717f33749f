/** Reads the fields of an account, and compares it with the user. */
import { type Entry, rankOfRole, type RoleType, roleTypes } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../api/session.ts'

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns the linked record in a value of an account, if the value contains one. */
export function readLinkedRecord(value: unknown): Entry | undefined {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
    ? { ...value, id: value.id }
    : undefined
}

export function linkedList(value: unknown): Entry[] {
  return Array.isArray(value) ? value.flatMap((linkedValue: unknown) => readLinkedRecord(linkedValue) ?? []) : []
}

const isRole = (value: unknown): value is RoleType => roleTypes.some((type) => type === value)

/** Returns the role of an account record, if the response contains it. */
export function roleOf(record: Entry): RoleType | undefined {
  const type = readLinkedRecord(record.role)?.type
  return isRole(type) ? type : undefined
}

/**
 * Whether an account was invited and has no password yet: an account that registered itself has signed in
 * before.
 */
export const isInvited = (record: Entry): boolean => record.confirmed === false && record.last_seen_at === null

/** The user in relation to an account: whether the account is their own, and whether they are staff. */
export function useReader(record: Entry | null): { isSelf: boolean; isStaff: boolean } {
  const { data: me } = useQuery(meQuery)
  return {
    isSelf: me !== undefined && record !== null && record.id === me.id,
    isStaff: rankOfRole(me?.role?.type ?? 'public') >= rankOfRole('admin'),
  }
}
