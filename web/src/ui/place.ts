// Where the picture of the simulation stands: alone in the lab, around a task that is done, inside a page, or nowhere.

export type Place = "lab" | "attempt" | "replay" | "none";

export function placeNow(): Place {
  return (document.body.dataset.place as Place | undefined) ?? "none";
}

export function setPlaceNow(place: Place): void {
  document.body.dataset.place = place;
}
