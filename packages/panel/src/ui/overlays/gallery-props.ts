/** Props of the picture viewer. */
export interface GalleryPicture {
  src: string
  thumbnail?: string | undefined
  alt: string
  caption?: string | undefined
  width?: number | undefined
  height?: number | undefined
}

export interface GalleryProps {
  pictures: readonly GalleryPicture[]
  /** Index of the picture that the viewer shows first. */
  start: number
  /** Called when the picture viewer is closed and no longer visible. */
  onClose: () => void
}
