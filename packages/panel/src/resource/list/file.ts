/** The request for an exported file of a list, and its download. */
import { type ExportFormat, type WrittenLocale } from '@dala/model'
import { languageOf } from '../../api/resource-queries.ts'
import { findResource } from '../../fields/relation/targets.ts'
import { readerZone } from '../../lib/format.ts'
import { isExportedColumn } from './columns.ts'
import { queryOfSearch } from './filters/conditions.ts'
import { sortQueryOf } from './search.ts'
import type { ResourceList } from './use-resource-list.ts'

export interface ExportedFile {
  content: Blob
  name: string
}

/** Exported file of a response, with the name that the server gave it. */
export async function fileOf(answer: Response): Promise<ExportedFile> {
  const [, name = 'export'] = /filename="?([^";]+)/.exec(answer.headers.get('Content-Disposition') ?? '') ?? []
  return { content: await answer.blob(), name }
}

/** Downloads an exported file. */
export function saveFile({ content, name }: ExportedFile): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Query of a list's export; `ids` limits it to some rows. */
export function exportBody(list: ResourceList, format: ExportFormat, language: WrittenLocale, ids?: readonly number[]) {
  const { resource } = list.screen
  const { search, rows } = list.query
  return {
    resource: resource.wire,
    format,
    columns: list.columns.names.filter((name) => isExportedColumn(resource, name)),
    query: {
      ...languageOf(resource, list.query.language),
      ...sortQueryOf(resource, search, findResource),
      ...queryOfSearch(resource, search, rows),
    },
    ...(ids && { ids }),
    language,
    timeZone: readerZone(),
  }
}
