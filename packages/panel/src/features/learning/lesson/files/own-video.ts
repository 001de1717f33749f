/** The uploaded video of a lesson as its record holds it. */

export interface OwnVideo {
  /** Addresses of the file, of a smaller one and of the poster. */
  file: string
  small?: string | null
  poster?: string | null
  duration_s?: number | null
  width?: number | null
  height?: number | null
  /** Bytes of the file. */
  size?: number | null
}

/** Reads the value of a lesson's video; undefined without an uploaded file. */
export function ownVideoOf(value: unknown): OwnVideo | undefined {
  if (typeof value !== 'object' || value === null || !('file' in value)) return undefined
  return typeof value.file === 'string' && value.file !== '' ? (value as OwnVideo) : undefined
}
