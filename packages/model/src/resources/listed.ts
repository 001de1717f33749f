/** Fields and rules that the lists staff keep have in common (content-model, head). */
import type { Access } from '../access.ts'
import { integer, yesNo } from '../fields/value-kinds.ts'

/** Place in the list, and whether the apps show it. */
export const listed = { order: integer({ default: 0 }), active: yesNo({ default: true }) } as const

/** Staff keep it; signed-in readers see what is active (contract §14). */
export const activeContent: Access = {
  read: { authenticated: { rows: { active: true } }, admin: true },
  write: 'admin',
}

/** Staff keep it; every signed-in reader sees all of it (contract §14). */
export const openReference: Access = { read: 'authenticated', write: 'admin' }
