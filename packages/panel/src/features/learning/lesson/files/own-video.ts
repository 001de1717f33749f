/** The uploaded video of a lesson in the form in which the lesson's record contains it. */

export interface OwnVideo {
  /** Addresses of the video file, of a smaller video file, and of the poster. */
  file: string
  small?: string | null
  poster?: string | null
  duration_s?: number | null
  width?: number | null
  height?: number | null
  /** Size of the video file in bytes. */
  size?: number | null
}

/** Reads the value of a lesson's video; undefined without an uploaded file. */
export function ownVideoOf(value: unknown): OwnVideo | undefined {
  if (typeof value !== 'object' || value === null || !('file' in value)) return undefined
  return typeof value.file === 'string' && value.file !== '' ? (value as OwnVideo) : undefined
}
