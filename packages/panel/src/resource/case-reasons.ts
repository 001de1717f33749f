/** The part of the page of a case that tells why it went to its consultant; the app provides it. */
import { type ComponentType, createContext } from 'react'

export interface CaseProps {
  kind: 'room' | 'consultation'
  id: number
}

/** Parts of the page of a case that other features fill, which the app provides. */
export const CaseContext = createContext<{ Reasons?: ComponentType<CaseProps> }>({})
