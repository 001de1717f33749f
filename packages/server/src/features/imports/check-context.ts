/** Defines the context that all checks of an import share. */
import { type Caller, type Field, type ImportMapping, type Resource, resources } from '@dala/model'
import type { Queries } from '../../db/database.ts'
import type { View } from '../../resources/attributes.ts'
import type { LoadedColumn } from './import-row.ts'

export interface CheckContext {
  runner: Queries
  caller: Caller
  resource: Resource
  /** View of the records that the caller of an import may change. */
  view: View
  mapping: ImportMapping
  columns: readonly LoadedColumn[]
  /** Names that users have resolved: in this import by wire id, in earlier ones by document. */
  decidedNames: ReadonlyMap<string, number>
  rememberedNames: ReadonlyMap<string, number>
}

/** Whether an import contains prices, which are identified by their place and not by a name. */
export const isPriceResource = ({ name }: Resource): boolean => name === resources.pricelists.name

/** Returns a field of the import by its name. */
export const fieldOf = ({ fields }: Resource, name: string): Field | undefined => fields[name]
