/**
 * Private files: their bytes are served at signed addresses that expire soon, and are renewed before they do.
 */
import type { Entry, FileAddresses } from '@dala/model'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { callRoute } from '../../api/route.ts'
import { isUpload } from '../picture/picture-value.ts'

/** Milliseconds for which signed addresses are used; they are valid for five minutes. */
const renewalInterval = 240_000
/**
 * Milliseconds for which the address of a file that is not shown is cached: it is dropped while still valid.
 */
const cacheTime = 30_000

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fetchAddress = async (id: number, signal?: AbortSignal): Promise<FileAddresses> =>
  (await callRoute('GET /api/upload/files/:id/address', { params: { id }, signal })).data

const addressQuery = (id: number) =>
  queryOptions({
    queryKey: ['file-address', id],
    queryFn: ({ signal }) => fetchAddress(id, signal),
    staleTime: renewalInterval,
    gcTime: cacheTime,
    refetchInterval: renewalInterval,
    refetchIntervalInBackground: true,
    meta: { inPlace: true },
  })

const isPrivate = (file: unknown): file is Entry => isUpload(file) && file['private'] === true

/**
 * The record of a file with signed addresses in place of its own; without any address until they are loaded.
 */
function addAddress(file: Entry, signedAddresses: FileAddresses | undefined): Entry {
  const copies = isObject(file['formats']) ? Object.entries(file['formats']) : []
  const addresses = new Map(Object.entries(signedAddresses?.formats ?? {}))
  const formats = copies.flatMap(([name, copy]) => {
    const signedUrl = addresses.get(name)
    return signedUrl && isObject(copy)
      ? [
          [
            name,
            {
              ...copy,
              url: signedUrl.url,
              webp: isObject(copy['webp']) ? { ...copy['webp'], ...signedUrl.webp } : undefined,
            },
          ],
        ]
      : []
  })
  return { ...file, url: signedAddresses?.url ?? null, formats: Object.fromEntries(formats) }
}

interface DrawableProps {
  /** Values of picture fields: records, or no values. */
  files: readonly unknown[]
  /** Renders the files with their addresses; the function may not use hooks. */
  children: (files: readonly unknown[]) => ReactNode
}

/**
 * Renders pictures that may be private.
 *
 * @param props - The files and their renderer. A private file has the addresses that are signed for the user,
 *   or none while they load. Anything else is passed unchanged, in the same order.
 * @returns The result of `children`.
 */
export function DrawableFiles({ files, children }: DrawableProps) {
  return renderSigned(files, 0, children)
}

/**
 * Renders the files from index `start` on, each private one inside a component that waits for its address.
 */
function renderSigned(files: readonly unknown[], start: number, children: DrawableProps['children']): ReactNode {
  const index = files.findIndex((file, index) => index >= start && isPrivate(file))
  const file = files[index]
  return isPrivate(file) ? <SignedFile {...{ file, files, index }}>{children}</SignedFile> : children(files)
}

interface SignedProps extends DrawableProps {
  /** Private file to render, with its index among the files. */
  file: Entry
  index: number
}

function SignedFile({ file, files, index, children }: SignedProps) {
  const { data } = useQuery(addressQuery(file.id))
  return renderSigned(files.with(index, addAddress(file, data)), index + 1, children)
}

/**
 * The record of one picture as it can be drawn now, for code that fetches its bytes.
 *
 * @param file - The record.
 * @returns The record with signed addresses when it is private.
 * @throws ApiError when the user may not read it.
 */
export async function fetchDrawable(file: Entry): Promise<Entry> {
  return isPrivate(file) ? addAddress(file, await fetchAddress(file.id)) : file
}
