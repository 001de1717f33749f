/** Takes the frame that a video shows as the video's poster. */

/**
 * Draws the frame that a video shows now.
 *
 * @param video - The element; the video is of our own host, so that its pixels may be read.
 * @param name - The name of the picture's file.
 * @returns A JPEG file; undefined when the video shows no frame yet.
 */
export async function frameOf(video: HTMLVideoElement, name: string): Promise<File | undefined> {
  const { videoWidth: width, videoHeight: height } = video
  if (width === 0 || height === 0) return undefined
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')?.drawImage(video, 0, 0, width, height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9))
  return blob ? new File([blob], name, { type: 'image/jpeg' }) : undefined
}
