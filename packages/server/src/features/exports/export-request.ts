/** Reads an export request from its body. */
import {
  type Caller,
  callerLanguage,
  type ExportFormat,
  exportQueryKeys,
  localeOf,
  type Resource,
  type WrittenLocale,
} from '@dala/model'
import type { BodyOf } from '@dala/model/api/contract'
import type { exportRoutes } from '@dala/model/api/exports'
import { resources } from '../../resources/attributes.ts'
import { readBodyQuery } from '../../resources/read/body-query.ts'
import type { FurtherRows } from '../../resources/further-rows.ts'
import { badParameter } from '../../resources/read/context.ts'
import type { QueryTree } from '../../resources/read/parse-query.ts'

export interface ExportRequest {
  resource: Resource
  format: ExportFormat
  columns: string[]
  query: QueryTree
  ids: number[] | undefined
  language: WrittenLocale
  timeZone: string
  /** Rows of another kind that the exported file has after the rows of the list. */
  furtherRows?: FurtherRows | undefined
}

type ExportBody = BodyOf<(typeof exportRoutes)['POST /api/export']>

/**
 * Reads an export request from a body.
 *
 * @throws 400 for an unknown resource, and for a query that no list accepts.
 */
export function toExportRequest({ data }: ExportBody, caller: Caller): ExportRequest {
  const { format, columns, query, ids } = data
  const resource = Object.values(resources).find(({ wire }) => wire === data.resource)
  if (!resource) throw badParameter('resource')
  const language = data.language ?? callerLanguage(caller)
  return {
    resource,
    format,
    columns,
    query: { locale: localeOf(language), ...(query !== undefined && readBodyQuery(query, exportQueryKeys)) },
    ids: ids ?? undefined,
    language,
    timeZone: data.timeZone ?? 'UTC',
  }
}
