// The library that draws charts, with its style. Loaded when charts are looked at for the first time.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

export { uPlot };
