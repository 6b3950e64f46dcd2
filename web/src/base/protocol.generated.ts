// Made by "catgut check --protocol-ts" from protocol.def, operations.def and tools.def; not to be edited.
// docs/protocol.md explains it.

export const PROTOCOL_VERSION = 8;
export const PROTOCOL_NAME = "catgut.8";

export const Mode = {
    /** the world moves with the clock */
    running: 0,
    /** the world stands still; advance makes steps */
    paused: 1,
    /** the world moves only when the client that asked for lockstep says advance */
    lockstep: 2,
    /** a recording is shown; nothing is simulated */
    watching: 3,
} as const;

export const Fault = {
    /** the bytes are no message of this protocol; the connection is closed */
    bad_message: 1,
    /** the world refused it: a bad value, or nothing of that name */
    refused: 2,
    /** this client may not do that: no token, or another drives the hands */
    not_allowed: 3,
    /** not now: recording, watching, in another client's lockstep */
    wrong_mode: 4,
    /** there is no scene, recording, snapshot or hand of that name */
    not_found: 5,
    /** too much of it is waiting already */
    full: 6,
    /** a scene or a script is not right; the text says where */
    bad_text: 7,
    /** a file could not be written or read, or there is no memory */
    failed: 8,
    /** an operation came too late for the step it names */
    late: 9,
    /** the client speaks another version; the connection is closed */
    version: 10,
} as const;

export const ShapeKind = {
    /** radius */
    sphere: 0,
    /** radius, and half_length of its axis, which is z */
    capsule: 1,
    /** all points with z <= 0 */
    half_space: 2,
    /** half_extents */
    box: 3,
} as const;

export const Tool = {
    /** two jaws: jaw, grip */
    grasper: 0,
    /** a rod with round ends, its tip at the hand, along +z of its frame: rod_radius, rod_length */
    probe: 1,
    /** an edge from the hand: edge; it cuts while the hand is closed */
    scalpel: 2,
    /** a hot tip at the hand while it is closed: hook_radius */
    hook: 3,
    /** two short jaws with a ratchet: tool_part */
    needle_driver: 4,
    /** two slender arms: tool_part */
    forceps: 5,
    /** two blades: tool_part */
    scissors: 6,
    /** a sharp shaft along +z of its frame, its tip at the hand */
    suture_passer: 7,
} as const;

export const EventKind = {
    /** something worth knowing */
    note: 0,
    /** an operation was refused */
    refused: 1,
    /** a thread has another knot now */
    knot: 2,
    /** a script came to a step: its name and what it explains */
    script_step: 3,
    /** a script ended */
    script_end: 4,
    /** a script cannot go on; the text names line and step */
    script_error: 5,
    /** a recording began or ended */
    recording: 6,
    /** the simulation became slower than the clock asks for, or fast enough again */
    speed: 7,
    /** a stitch tears the tissue, or tore out */
    tear: 8,
    /** a thread broke */
    broke: 9,
} as const;

export const TrainingKind = {
    /** all tasks, and how a trainee fares with them */
    tasks: 0,
    /** a task: briefing, rubric, scripts, and its marks under a seed */
    task: 1,
    /** all attempts of a trainee, task by task, and the expert's */
    progress: 2,
    /** an attempt that is over: points, what cost them and when, measures, a plot */
    result: 3,
    /** how the tools of the expert went in a task, and the steps on it */
    way: 4,
    /** how the attempt fares that is under way, or how it ended; comes unasked */
    attempt: 5,
} as const;

export const TissueShape = {
    /** layers of skin, the top at z = 0 of its frame */
    pad: 0,
    /** a tube along x */
    vessel: 1,
    /** a block */
    box: 2,
    /** a flat sheet */
    grid: 3,
    /** a surface from a file */
    mesh: 4,
} as const;

export const Side = {
    /** of a pad; of a sheet its front */
    top: 0,
    /** of a pad; of a sheet its back */
    bottom: 1,
    /** around a pad, at the ends of a vessel */
    rim: 2,
    /** the lips of a wound, and what a blade laid open */
    groove: 3,
    /** of a vessel */
    outer: 4,
    /** of a vessel */
    inner: 5,
} as const;

/** The tools of hands in the order of their numbers. */
export const TOOLS = [
    {
        name: "grasper",
        does: "takes hold of thread and tissue",
        close: "Close",
        open: "Open",
        key: "Digit7",
        drawing:
            "<path d='M3 2c0 5 3 5 4.6 8.2V14M13 2c0 5-3 5-4.6 8.2V14M6.2 14h3.6'/>",
    },
    {
        name: "probe",
        does: "presses and pushes aside",
        close: "",
        open: "",
        key: "Digit8",
        drawing:
            "<path d='M3.2 12.8l6-6'/><path class='solid' d='M9 5.2L12.2 2l1.8 1.8L10.8 7z'/><circle class='solid' cx='3' cy='13' r='1.6'/>",
    },
    {
        name: "scalpel",
        does: "cuts tissue",
        close: "Cut",
        open: "Stop",
        key: "Digit9",
        drawing:
            "<path class='solid' d='M2 14c.6-3.4 2.2-5.6 4.6-7.2l2 2C7 11 5 12.8 2 14z'/><path d='M7.6 7.8L13.6 2'/>",
    },
    {
        name: "hook",
        does: "burns tissue away",
        close: "Burn",
        open: "Stop",
        key: "Digit0",
        drawing:
            "<path d='M13.5 2L8 7.5c-2.6 2.6-4.4 3-5 4.6-.5 1.6 1.6 2.4 2.6 1.2'/><path d='M9.5 12.5l.6 1.6M11.2 10.8l1.8.6M11 13l1.3 1.2'/>",
    },
    {
        name: "needle_driver",
        does: "jaws with a ratchet, for needles",
        close: "Close",
        open: "Open",
        key: "Comma",
        drawing:
            "<path d='M6.8 1.5c0 3 .2 5 1.2 6.5l2.5 4M9.2 1.5c0 3-.2 5-1.2 6.5l-2.5 4'/><circle cx='4.8' cy='13' r='1.5'/><circle cx='11.2' cy='13' r='1.5'/>",
    },
    {
        name: "forceps",
        does: "fine jaws, for thread and tissue",
        close: "Close",
        open: "Open",
        key: "Period",
        drawing:
            "<path d='M7.4 14C5 9 5 6 6.6 1.8M8.6 14C11 9 11 6 9.4 1.8M7.2 14h1.6'/>",
    },
    {
        name: "scissors",
        does: "blades that cut thread",
        close: "Close",
        open: "Open",
        key: "Slash",
        drawing:
            "<path d='M4 1.8l5.8 9.4M12 1.8L6.2 11.2'/><circle cx='5' cy='12.8' r='1.7'/><circle cx='11' cy='12.8' r='1.7'/>",
    },
    {
        name: "suture_passer",
        does: "holds the end of a thread in its eye",
        close: "Hold",
        open: "Let go",
        key: "Home",
        drawing:
            "<path d='M13.5 2.5L4.5 11.5'/><path class='solid' d='M2 14l1.6-4 2.4 2.4z'/><circle cx='7.4' cy='8.6' r='1.3'/>",
    },
] as const;

export type Vec3 = [number, number, number];
/** x y z w */
export type Quat = [number, number, number, number];

/** a scene that can be chosen */
export interface SceneName {
    /** its name, for choose_scene */
    name: string;
    /** one line about what it shows; may be empty */
    title: string;
}

/** a recording that can be opened */
export interface RecordingName {
    /** its name, for open_recording */
    name: string;
    /** size of the file */
    bytes: number;
}

/** a thread of the scene */
export interface ThreadInfo {
    /** as in the scene */
    name: string;
    /** [m] half its thickness */
    radius: number;
    /** a hint: 0xRRGGBB */
    colour: number;
    /** when the scene was built; frames say the present one */
    vertex_count: number;
}

/** a rigid shape of the scene */
export interface ShapeInfo {
    /** as in the scene */
    name: string;
    /** a shape_kind */
    kind: number;
    /** [m] of a sphere or capsule */
    radius: number;
    /** [m] of the axis of a capsule */
    half_length: number;
    /** [m] of a box */
    half_extents: Vec3;
    /** a hint: 0xRRGGBB */
    colour: number;
}

/** a hand of the scene */
export interface HandInfo {
    /** as in the scene */
    name: string;
    /** [m] length of the stretch of thread that it holds */
    jaw: number;
    /** [N] the most it can pull */
    force_cap: number;
    /** [m] how near a thread must be to be grasped */
    reach: number;
    /** a tool: what it carries at first; hand_state says what it carries now */
    tool: number;
    /** [N] with which each jaw of a grasper presses on tissue; 0: tissue never slips out */
    grip: number;
    /** [m] of its probe */
    rod_radius: number;
    /** [m] of its probe, between the middles of the round ends */
    rod_length: number;
    /** [m] of its scalpel: from the tip to the other end, in the frame of the hand */
    edge: Vec3;
    /** [m] of its hook: what is nearer to the tip is burnt */
    hook_radius: number;
    /** 1 when its tool is a laparoscope */
    has_scope: number;
    /** [rad] by which that looks aside, towards -y of the hand's frame */
    scope_angle: number;
}

/** a soft tissue of the scene */
export interface TissueInfo {
    /** as in the scene */
    name: string;
    /** a tissue_shape */
    shape: number;
    /** [m] thickness of each layer, from the top */
    layers: Float32Array;
    /** [m] of a vessel, outer */
    radius: number;
    /** a hint: 0xRRGGBB */
    colour: number;
}

/** a node of the surface of a tissue */
export interface SurfaceNode {
    /** its number in the tissue */
    node: number;
    /** [m] where it was made, in the frame of the tissue's shape */
    home: Vec3;
}

/** a triangle of the surface of a tissue, counter-clockwise seen from outside */
export interface Triangle {
    /** a corner: a place in the list of nodes */
    a: number;
    /** the next */
    b: number;
    /** the last */
    c: number;
    /** a side */
    side: number;
}

/** a node of the surface of a tissue that is new in its place */
export interface ChangedNode {
    /** in the list of nodes */
    place: number;
    /** its number in the tissue */
    node: number;
    /** [m] where it was made, in the frame of the tissue's shape */
    home: Vec3;
}

/** a triangle of the surface of a tissue that is new in its place */
export interface ChangedTriangle {
    /** in the list of triangles */
    place: number;
    /** a corner: a place in the list of nodes */
    a: number;
    /** the next */
    b: number;
    /** the last */
    c: number;
    /** a side */
    side: number;
}

/** a thread at one moment */
export interface ThreadState {
    /** its place in the scene, from 0; a removed thread is left out */
    thread: number;
    /** changes whenever vertices are added or taken away */
    topology_version: number;
    /** [m] x y z of each vertex */
    positions: Float32Array;
    /** unit: a direction across the first segment, fixed to the material */
    director: Vec3;
    /** [rad] per segment: turn of the material against a frame carried along from the first segment without twist; empty when nothing holds a twist */
    twist: Float32Array;
    /** [N] per segment: pull, negative when pushed */
    tensions: Float32Array;
}

/** a rigid shape at one moment */
export interface ShapeState {
    /** its place in the scene, from 0; a removed shape is left out */
    shape: number;
    /** [m] where it is */
    position: Vec3;
    /** how it is turned: x y z w */
    rotation: Quat;
    /** [N] of the threads on it */
    force: Vec3;
    /** [N m] of the threads on it, about its position */
    torque: Vec3;
}

/** a hand at one moment */
export interface HandState {
    /** its place in the scene, from 0 */
    hand: number;
    /** 1 when its jaws are closed */
    closed: number;
    /** the client that drives it; 0: nobody; 4294967295: a device leads it */
    driver: number;
    /** [m] where it is */
    position: Vec3;
    /** how it is turned: x y z w */
    rotation: Quat;
    /** [m] where it was told to go */
    target: Vec3;
    /** [N] what it feels from what it holds */
    force: Vec3;
    /** [N m] what it feels from what it holds, about its position */
    torque: Vec3;
    /** the thread it holds; -1: none */
    thread: number;
    /** of what it holds */
    first_vertex: number;
    /** of what it holds */
    vertex_count: number;
    /** the tissue it holds; -1: none */
    tissue: number;
    /** a tool: what it carries */
    tool: number;
    /** 1 while tissue slides in its jaws; 2 when it slid out of them; else 0 */
    slip: number;
    /** [m/s] of the tissue in its jaws */
    slip_speed: number;
    /** [N] with which each jaw presses on tissue now */
    grip: number;
    /** 0 in a recording that does not hold what its hands did: then position is where it was told to be, and nothing is known of what it holds and feels */
    known: number;
    /** [m] of the edge of its scalpel that is in tissue */
    edge_inside: number;
    /** 1 when its tool has two jaws that touch: tools of the frame has its parts */
    has_jaws: number;
    /** of its jaws, 0 (closed) to 1 */
    opening: number;
    /** [N] with which the first jaw presses */
    jaw_force: number;
    /** [N] with which the second jaw presses */
    other_jaw_force: number;
    /** 1 while its ratchet holds */
    latched: number;
}

/** a part of a tool with jaws at one moment */
export interface ToolPart {
    /** whose tool it is: a place in the scene, from 0 */
    hand: number;
    /** 0 for the shaft, 1 and 2 for the jaws */
    jaw: number;
    /** a shape_kind */
    kind: number;
    /** [m] of a sphere or capsule */
    radius: number;
    /** [m] of the axis of a capsule */
    half_length: number;
    /** [m] of a box */
    half_extents: Vec3;
    /** [m] where it is */
    position: Vec3;
    /** how it is turned: x y z w */
    rotation: Quat;
}

/** a soft tissue at one moment */
export interface TissueState {
    /** its place in the scene, from 0; a removed tissue is left out */
    tissue: number;
    /** of the surface that the nodes belong to */
    topology_version: number;
    /** [m] x y z of each node of the surface, as surface lists them */
    positions: Float32Array;
}

/** a place where a thread touches something, or nearly does */
export interface ContactState {
    /** the thread */
    thread: number;
    /** what it touches, may be itself; -1: a shape */
    other_thread: number;
    /** what it touches; -1: a thread */
    shape: number;
    /** of the thread */
    segment: number;
    /** of the other thread */
    other_segment: number;
    /** [m] on the axis of the thread */
    point: Vec3;
    /** unit, towards the thread */
    normal: Vec3;
    /** [N] on the thread */
    force: Vec3;
    /** [m] between the surfaces */
    gap: number;
}

/** a straight span of thread in a tissue that can tear */
export interface BiteState {
    /** the thread */
    thread: number;
    /** what it goes through */
    tissue: number;
    /** [m] of its middle */
    position: Vec3;
    /** [N] of the thread on the tissue, across the span */
    pull: Vec3;
    /** [N] of such a pull, before it tears */
    bears: number;
}

/** how far threads have torn a tissue */
export interface TornState {
    /** its place in the scene, from 0 */
    tissue: number;
    /** [m] of all tears, as the tissue was made */
    length: number;
    /** [m2] that they laid open, one side */
    area: number;
}

/** the knot in a thread */
export interface KnotState {
    /** the thread */
    thread: number;
    /** as knot theory calls it: 3_1, or 0_1 for none */
    name: string;
    /** as people call it: overhand; may be empty */
    common: string;
    /** throws in order of tying: 2=1=1; may be empty */
    throws: string;
    /** 1 when the name is proven */
    certain: number;
}

/** a force-feedback device or a tracked instrument, and how its loop does */
export interface DeviceState {
    /** that it leads, or led: a place in the scene, from 0 */
    hand: number;
    /** omni, touch, desktop, vli, lapie, or tracker */
    name: string;
    /** 1 while its samples come; 0: it is unplugged, and what follows is the last that is known */
    here: number;
    /** how often it was plugged in */
    arrivals: number;
    /** that came since */
    samples: number;
    /** packets that were bad or late */
    unread: number;
    /** [1/s] of samples, in the last second */
    rate: number;
    /** [s] by which samples come later than evenly: 99.9 % of them at most */
    late: number;
    /** [s] between two samples */
    longest: number;
    /** [s] by which the server's thread of devices wakes late: 99.9 % at most */
    loop_late: number;
    /** [N] that was sent to it last; 0 for a tracker that did not ask for it */
    force: number;
    /** [N/m] of what is near; 0: nothing */
    stiffness: number;
    /** [N/m] that its port may have at most */
    limit: number;
    /** [J] that it put into its port; never far below 0 */
    energy: number;
    /** [J] that may come out beyond what its springs hold, of all devices */
    account: number;
    /** periods in which the force was as great as the device bears */
    capped: number;
    /** periods in which it was softer than the world, for want of energy */
    withheld: number;
}

/** a world that somebody works in */
export interface SessionState {
    /** its number */
    session: number;
    /** who works there; empty: nobody owns it */
    name: string;
    /** its name */
    scene: string;
    /** connections that are there */
    clients: number;
    /** 1: it is that of whoever asked */
    is_own: number;
    /** [s] of processor time that it took */
    processor: number;
    /** [s] since somebody there did something */
    idle: number;
}

/** the first message of a connection; the answer is welcome, scenes, scene, topology and surface */
export interface HelloMessage {
    type: "hello";
    request: number;
    /** of this protocol */
    version: number;
    /** what the server asks for before it takes orders; may be empty */
    token: string;
    /** who it is, for people */
    name: string;
    /** 0: one of its own, as soon as it needs a world; otherwise the session of that number, to watch it, or to work there when it is nobody's or its own. 1 is always there */
    session: number;
    /** a secret of 64 bytes at most by which its session is known when it comes back; empty: sessions that nobody owns are all it can work in */
    key: string;
}

/** operations, to be applied together before one step */
export interface OperateMessage {
    type: "operate";
    request: number;
    /** one after the other, 64 at most, as in recordings: kind (2 bytes), step (8), fields; step 0: as soon as possible */
    operations: Uint8Array;
}

/** asks for scenes */
export interface ListScenesMessage {
    type: "list_scenes";
    request: number;
}

/** ends the present world and builds another, paused as it was before */
export interface ChooseSceneMessage {
    type: "choose_scene";
    request: number;
    /** of a scene */
    name: string;
}

/** builds the present scene anew */
export interface ResetMessage {
    type: "reset";
    request: number;
}

/** stops the clock of the world */
export interface PauseMessage {
    type: "pause";
    request: number;
}

/** lets the clock of the world run */
export interface GoMessage {
    type: "go";
    request: number;
}

/** makes steps while paused or in lockstep; answered by a frame of the last one, then done */
export interface AdvanceMessage {
    type: "advance";
    request: number;
    /** 1 to 100000 */
    steps: number;
}

/** sets how fast the world's clock runs */
export interface SlowMotionMessage {
    type: "slow_motion";
    request: number;
    /** 0.001 to 10; 1 is real time, 0.1 ten times slower */
    factor: number;
}

/** from now on only this client moves the world, by advance; or no longer */
export interface LockstepMessage {
    type: "lockstep";
    request: number;
    /** 1 or 0 */
    on: number;
}

/** makes this client the driver of a hand that nobody drives */
export interface TakeHandMessage {
    type: "take_hand";
    request: number;
    /** its place in the scene */
    hand: number;
}

/** lets others drive it */
export interface LeaveHandMessage {
    type: "leave_hand";
    request: number;
    /** its place in the scene */
    hand: number;
}

/** keeps the present state in the server's memory */
export interface SnapshotMessage {
    type: "snapshot";
    request: number;
    /** 0 to 15, of this client; 64 states of all clients together */
    slot: number;
}

/** goes back to a kept state of the same scene */
export interface RestoreMessage {
    type: "restore";
    request: number;
    /** 0 to 15, of this client */
    slot: number;
}

/** starts a script for the hands; its steps are told as events */
export interface RunScriptMessage {
    type: "run_script";
    request: number;
    /** of a script beside the scenes; or what errors shall call the text */
    name: string;
    /** the script itself (docs/scripts.md); empty: the one of that name */
    script: Uint8Array;
}

/** ends the script that runs; hands stay where they are */
export interface StopScriptMessage {
    type: "stop_script";
    request: number;
}

/** builds the present scene anew and records it */
export interface StartRecordingMessage {
    type: "start_recording";
    request: number;
    /** letters, digits, - and _; empty: the server finds one */
    name: string;
}

/** ends the recording; the world goes on */
export interface EndRecordingMessage {
    type: "end_recording";
    request: number;
}

/** asks for recordings */
export interface ListRecordingsMessage {
    type: "list_recordings";
    request: number;
}

/** ends the present world and shows a recording, at its start, standing still */
export interface OpenRecordingMessage {
    type: "open_recording";
    request: number;
    /** of a recording */
    name: string;
}

/** shows another moment of the recording */
export interface SeekMessage {
    type: "seek";
    request: number;
    /** the frame at or before it is shown */
    step: number;
}

/** lets the recording run */
export interface PlayMessage {
    type: "play";
    request: number;
    /** -100 to 100; 1 is real time, 0 stands still, below 0 runs backwards */
    speed: number;
}

/** leaves the recording and goes on from the moment shown as a world of its own, paused */
export interface BranchMessage {
    type: "branch";
    request: number;
}

/** leaves the recording; its scene is built anew */
export interface CloseRecordingMessage {
    type: "close_recording";
    request: number;
}

/** how many frames a second this client wants */
export interface WatchMessage {
    type: "watch";
    request: number;
    /** [1/s] 0: none but those it asks for; more than the server makes: all */
    rate: number;
}

/** asks for pong */
export interface PingMessage {
    type: "ping";
    request: number;
    /** any number; it comes back */
    time: number;
}

/** builds a scene and starts a script in it before its first step; then the clock of the world runs, but in lockstep */
export interface StartLessonMessage {
    type: "start_lesson";
    request: number;
    /** of a scene; empty: the present one */
    scene: string;
    /** as of run_script */
    name: string;
    /** as of run_script */
    script: Uint8Array;
}

/** writes what happened in the last minutes as a recording, and what was before the last return to another state or scene as a second one; events name them */
export interface SavePastMessage {
    type: "save_past";
    request: number;
}

/** asks for training */
export interface AskTrainingMessage {
    type: "ask_training";
    request: number;
    /** a training_kind, but attempt */
    kind: number;
    /** the name of a task, where one is meant */
    task: string;
    /** whose attempts are told; may be empty */
    trainee: string;
    /** of result the attempt, of task the seed */
    number: number;
}

/** builds the scene of a task, records it and watches the goal; then the clock of the world runs, but in lockstep. The client hears of it by training of kind attempt */
export interface BeginAttemptMessage {
    type: "begin_attempt";
    request: number;
    /** the name of a task */
    task: string;
    /** who attempts it: 1 to 100 bytes; added to the logbook when new */
    trainee: string;
    /** of the places of targets */
    seed: number;
    /** the expert's script of the task, or one of its mistakes; empty: a person does it */
    script: string;
}

/** ends the attempt that is under way */
export interface EndAttemptMessage {
    type: "end_attempt";
    request: number;
    /** 1: what was done is scored and noted; 0: it counts as interrupted */
    keep: number;
}

/** goes to a session; welcome, scenes and scene come again, and then done */
export interface EnterMessage {
    type: "enter";
    request: number;
    /** as of hello; 0: its own, at once */
    session: number;
}

/** asks for sessions */
export interface ListSessionsMessage {
    type: "list_sessions";
    request: number;
}

/** asks those who work in this session for their hands; they hear of it by hands_asked */
export interface AskHandsMessage {
    type: "ask_hands";
    request: number;
}

/** gives the hands of this client to one that asked for them, or takes them back */
export interface GiveHandsMessage {
    type: "give_hands";
    request: number;
    /** its number; 0: whoever got them goes back to watching */
    client: number;
}

/** the answer to hello */
export interface WelcomeMessage {
    type: "welcome";
    request: number;
    /** of this protocol */
    version: number;
    /** who serves */
    program: string;
    /** the number of this connection, from 1; frames call drivers by it */
    client: number;
    /** 0 when the token was missing or wrong: it may watch only */
    may_control: number;
    /** [1/s] frames that the server makes */
    frame_rate: number;
    /** of a message to the server */
    most_bytes: number;
    /** [1/s] to the server; more closes the connection */
    most_messages: number;
    /** in which it is now; 0: in none yet, its scene has no name and nothing in it */
    session: number;
    /** 1: somebody else works here, and this one only watches until it was given the hands */
    is_guest: number;
}

/** a request was carried out */
export interface DoneMessage {
    type: "done";
    request: number;
}

/** a request was not carried out, and nothing changed */
export interface ErrorMessage {
    type: "error";
    request: number;
    /** a fault */
    code: number;
    /** a sentence for people */
    message: string;
}

/** what can be chosen */
export interface ScenesMessage {
    type: "scenes";
    request: number;
    /** by name */
    scenes: SceneName[];
}

/** what the world consists of; sent again whenever it is built anew */
export interface SceneMessage {
    type: "scene";
    request: number;
    /** counts worlds; frames, topologies and events of another one are out of date */
    generation: number;
    /** of the scene */
    name: string;
    /** one line about what it shows; may be empty */
    title: string;
    /** [s] how long it is meant to run; of a recording its length */
    duration: number;
    /** [s] when it was built */
    time_step: number;
    /** of a recording; 0 for a world */
    first_step: number;
    /** of a recording; 0 for a world */
    last_step: number;
    /** by place */
    threads: ThreadInfo[];
    /** by place */
    shapes: ShapeInfo[];
    /** by place */
    hands: HandInfo[];
    /** by place; behind those of the scene places without a name, for pieces that become tissues of their own */
    tissues: TissueInfo[];
}

/** how a thread is divided; sent again before the first frame with another topology_version */
export interface TopologyMessage {
    type: "topology";
    request: number;
    /** of the scene */
    generation: number;
    /** its place */
    thread: number;
    /** as frames have it from now on */
    topology_version: number;
    /** [m] per vertex: rest length of thread up to it */
    arcs: Float32Array;
}

/** the world at one moment; the newest goes to each client that is ready for it */
export interface FrameMessage {
    type: "frame";
    request: number;
    /** the request of the newest operate of this client whose operations were applied before this moment; 0: none yet */
    acknowledged: number;
    /** frames made for this client since the last one that were not sent */
    missed: number;
    /** of the scene */
    generation: number;
    /** counts frames */
    number: number;
    /** steps made */
    step: number;
    /** [s] simulated */
    time: number;
    /** a mode */
    mode: number;
    /** 1 while a recording is being written */
    recording: number;
    /** 1 while a script runs */
    script: number;
    /** how fast the clock shall run: that of slow_motion, or the speed of play */
    factor: number;
    /** how fast it did run over the last second: simulated seconds a second */
    real_time: number;
    /** [s] of the clock that was given up since the world was built: steps took too long */
    behind: number;
    /** [s] what a step took, mean over the last frame interval */
    step_seconds: number;
    /** [s] of the last step, by stage: see docs/architecture.md */
    stage_seconds: Float32Array;
    /** of the last step */
    passes: number;
    /** operations that took effect so far */
    applied: number;
    /** operations that did not */
    refused: number;
    /** steps so far that were rough, unfinished, unconverged or recovered */
    trouble: number;
    /** 1 when someone moved the camera; else the next three are zero */
    has_camera: number;
    /** [m] where the camera is */
    camera_position: Vec3;
    /** [m] what it looks at */
    camera_target: Vec3;
    /** what is up in the picture */
    camera_up: Vec3;
    /** those that are there */
    threads: ThreadState[];
    /** those that are there */
    shapes: ShapeState[];
    /** by place */
    hands: HandState[];
    /** 512 at most */
    contacts: ContactState[];
    /** of threads that were looked at; thirty looks a second */
    knots: KnotState[];
    /** those that are there */
    tissues: TissueState[];
    /** connections that said hello */
    clients: number;
    /** of the tools with jaws that hands carry */
    tools: ToolPart[];
    /** 64 at most; none while a recording is watched */
    bites: BiteState[];
    /** tissues that are torn; none while a recording is watched */
    torn: TornState[];
}

/** something happened; events are not left out when frames are */
export interface EventMessage {
    type: "event";
    request: number;
    /** of the scene */
    generation: number;
    /** steps made by then */
    step: number;
    /** an event_kind */
    kind: number;
    /** a sentence for people */
    message: string;
}

/** what can be opened */
export interface RecordingsMessage {
    type: "recordings";
    request: number;
    /** by name */
    recordings: RecordingName[];
}

/** the answer to ping */
export interface PongMessage {
    type: "pong";
    request: number;
    /** what ping said */
    time: number;
}

/** the surface of a tissue; sent again before the first frame with another topology_version */
export interface SurfaceMessage {
    type: "surface";
    request: number;
    /** of the scene */
    generation: number;
    /** its place */
    tissue: number;
    /** as frames have it from now on */
    topology_version: number;
    /** in the order in which frames have their positions; nodes inside are not shown */
    nodes: SurfaceNode[];
    /** all of them */
    triangles: Triangle[];
}

/** what changed in the surface of a tissue, instead of the whole, before the first frame with another topology_version */
export interface SurfaceChangeMessage {
    type: "surface_change";
    request: number;
    /** of the scene */
    generation: number;
    /** its place */
    tissue: number;
    /** as frames have it from now on; it was one less before */
    topology_version: number;
    /** of the surface, from now on */
    node_count: number;
    /** of the surface, from now on */
    triangle_count: number;
    /** by place; all others below node_count stay as they were */
    nodes: ChangedNode[];
    /** by place; all others below triangle_count stay as they were */
    triangles: ChangedTriangle[];
}

/** the answer to ask_training, and how an attempt fares */
export interface TrainingMessage {
    type: "training";
    request: number;
    /** a training_kind */
    kind: number;
    /** one JSON object, UTF-8 (docs/training.md) */
    json: Uint8Array;
}

/** how devices do: four times a second from the first that came on, and when one comes or goes */
export interface DevicesMessage {
    type: "devices";
    request: number;
    /** by hand; those that ever came */
    devices: DeviceState[];
}

/** the answer to list_sessions */
export interface SessionsMessage {
    type: "sessions";
    request: number;
    /** by number */
    sessions: SessionState[];
    /** that there may be at once */
    most: number;
    /** clients that wait for one */
    waiting: number;
    /** that rest, to be taken up when their owners come back */
    kept: number;
}

/** there is no room for another session; told again when the place changes, and the end of it is welcome */
export interface QueueMessage {
    type: "queue";
    request: number;
    /** from 1; 0: the session was given back, and the next order that needs one asks for it again */
    place: number;
    /** [s] after which it is the turn of this client at the latest if nobody does anything; 0: not known */
    seconds: number;
    /** a sentence for people */
    message: string;
}

/** somebody who watches asks for the hands */
export interface HandsAskedMessage {
    type: "hands_asked";
    request: number;
    /** its number, for give_hands */
    client: number;
    /** as it said in hello */
    name: string;
}

export type ClientMessage =
    | HelloMessage
    | OperateMessage
    | ListScenesMessage
    | ChooseSceneMessage
    | ResetMessage
    | PauseMessage
    | GoMessage
    | AdvanceMessage
    | SlowMotionMessage
    | LockstepMessage
    | TakeHandMessage
    | LeaveHandMessage
    | SnapshotMessage
    | RestoreMessage
    | RunScriptMessage
    | StopScriptMessage
    | StartRecordingMessage
    | EndRecordingMessage
    | ListRecordingsMessage
    | OpenRecordingMessage
    | SeekMessage
    | PlayMessage
    | BranchMessage
    | CloseRecordingMessage
    | WatchMessage
    | PingMessage
    | StartLessonMessage
    | SavePastMessage
    | AskTrainingMessage
    | BeginAttemptMessage
    | EndAttemptMessage
    | EnterMessage
    | ListSessionsMessage
    | AskHandsMessage
    | GiveHandsMessage;

export type ServerMessage =
    | WelcomeMessage
    | DoneMessage
    | ErrorMessage
    | ScenesMessage
    | SceneMessage
    | TopologyMessage
    | FrameMessage
    | EventMessage
    | RecordingsMessage
    | PongMessage
    | SurfaceMessage
    | SurfaceChangeMessage
    | TrainingMessage
    | DevicesMessage
    | SessionsMessage
    | QueueMessage
    | HandsAskedMessage;

export type Message = ClientMessage | ServerMessage;

/** step: steps made before it takes effect; 0: as soon as possible */
export type Operation =
    /** a force on a vertex during the next step */
    | { type: "push_vertex"; step: number; thread: number; vertex: number; force: Vec3 }
    /** a force at a point of a segment during the next step */
    | { type: "push_segment"; step: number; thread: number; segment: number; fraction: number; force: Vec3 }
    /** a moment on a segment during the next step */
    | { type: "push_moment"; step: number; thread: number; segment: number; moment: Vec3 }
    /** holds a vertex, or moves one that is held */
    | { type: "hold"; step: number; thread: number; vertex: number; target: Vec3 }
    /** lets go of a held vertex */
    | { type: "release"; step: number; thread: number; vertex: number }
    /** holds, moves or frees an end */
    | { type: "set_end"; step: number; thread: number; end: "start" | "finish"; kind: "free" | "pinned" | "clamped"; position: Vec3; direction: Vec3; turn: number }
    /** fixes a mass to a vertex */
    | { type: "set_added_mass"; step: number; thread: number; vertex: number; mass: number }
    /** takes a thread out of the world */
    | { type: "remove_thread"; step: number; thread: number }
    /** changes gravity */
    | { type: "set_gravity"; step: number; gravity: Vec3 }
    /** changes the time step */
    | { type: "set_time_step"; step: number; time_step: number }
    /** changes the Newton passes of a step */
    | { type: "set_newton"; step: number; passes: number; tolerance: number; line_search: boolean }
    /** sends a rigid shape somewhere */
    | { type: "move_shape"; step: number; shape: number; position: Vec3; rotation: Quat }
    /** tells a hand where to be */
    | { type: "move_hand"; step: number; hand: number; position: Vec3; rotation: Quat; time: number }
    /** closes a hand around the nearest thread in its reach, or on tissue when there is none */
    | { type: "close_hand"; step: number; hand: number }
    /** opens a hand */
    | { type: "open_hand"; step: number; hand: number }
    /** moves the camera */
    | { type: "move_camera"; step: number; position: Vec3; target: Vec3; up: Vec3 }
    /** a force at a point of the surface of a tissue during the next step */
    | { type: "push_tissue"; step: number; tissue: number; triangle: number; weights: Vec3; force: Vec3 }
    /** fixes a node of a tissue where it is, or frees it */
    | { type: "fix_node"; step: number; tissue: number; node: number; fixed: boolean }
    /** moves a fixed node of a tissue */
    | { type: "move_node"; step: number; tissue: number; node: number; place: Vec3 }
    /** takes a tissue out of the world */
    | { type: "remove_tissue"; step: number; tissue: number }
    /** puts another tool into a hand; it opens, and what it held is free */
    | { type: "hand_tool"; step: number; hand: number; tool: keyof typeof Tool }
    /** changes the coefficient of friction of a thread */
    | { type: "set_friction"; step: number; thread: number; friction: number }
    /** cuts a tissue along a straight line, as deep as the blade reaches */
    | { type: "cut"; step: number; tissue: number; from: Vec3; to: Vec3; from_down: Vec3; to_down: Vec3 }
    /** makes the piece of a node a tissue of its own, behind all that there are */
    | { type: "separate"; step: number; tissue: number; node: number }
    /** makes one node of each two of a tissue that stick and lie on each other */
    | { type: "merge"; step: number; tissue: number }
    /** puts a vertex somewhere else, at some velocity; hands let go of the thread */
    | { type: "set_state"; step: number; thread: number; vertex: number; position: Vec3; velocity: Vec3 }
    /** cuts a thread in two; what is behind the cut becomes the next of its parts */
    | { type: "cut_thread"; step: number; thread: number; arc: number }
    /** opens or closes the jaws of a hand's tool */
    | { type: "set_jaws"; step: number; hand: number; opening: number; force: number };

const FORMS: Record<string, Member[]> = {
    scene_name: [
        ["name", "text"],
        ["title", "text"],
    ],
    recording_name: [
        ["name", "text"],
        ["bytes", "u64"],
    ],
    thread_info: [
        ["name", "text"],
        ["radius", "f32"],
        ["colour", "u32"],
        ["vertex_count", "u32"],
    ],
    shape_info: [
        ["name", "text"],
        ["kind", "u8"],
        ["radius", "f32"],
        ["half_length", "f32"],
        ["half_extents", "vec3"],
        ["colour", "u32"],
    ],
    hand_info: [
        ["name", "text"],
        ["jaw", "f32"],
        ["force_cap", "f32"],
        ["reach", "f32"],
        ["tool", "u8"],
        ["grip", "f32"],
        ["rod_radius", "f32"],
        ["rod_length", "f32"],
        ["edge", "vec3"],
        ["hook_radius", "f32"],
        ["has_scope", "u8"],
        ["scope_angle", "f32"],
    ],
    tissue_info: [
        ["name", "text"],
        ["shape", "u8"],
        ["layers", "floats"],
        ["radius", "f32"],
        ["colour", "u32"],
    ],
    surface_node: [
        ["node", "u32"],
        ["home", "vec3"],
    ],
    triangle: [
        ["a", "u32"],
        ["b", "u32"],
        ["c", "u32"],
        ["side", "u8"],
    ],
    changed_node: [
        ["place", "u32"],
        ["node", "u32"],
        ["home", "vec3"],
    ],
    changed_triangle: [
        ["place", "u32"],
        ["a", "u32"],
        ["b", "u32"],
        ["c", "u32"],
        ["side", "u8"],
    ],
    thread_state: [
        ["thread", "u16"],
        ["topology_version", "u32"],
        ["positions", "floats"],
        ["director", "vec3"],
        ["twist", "floats"],
        ["tensions", "floats"],
    ],
    shape_state: [
        ["shape", "u16"],
        ["position", "vec3"],
        ["rotation", "quat"],
        ["force", "vec3"],
        ["torque", "vec3"],
    ],
    hand_state: [
        ["hand", "u16"],
        ["closed", "u8"],
        ["driver", "u32"],
        ["position", "vec3"],
        ["rotation", "quat"],
        ["target", "vec3"],
        ["force", "vec3"],
        ["torque", "vec3"],
        ["thread", "i32"],
        ["first_vertex", "u32"],
        ["vertex_count", "u32"],
        ["tissue", "i32"],
        ["tool", "u8"],
        ["slip", "u8"],
        ["slip_speed", "f32"],
        ["grip", "f32"],
        ["known", "u8"],
        ["edge_inside", "f32"],
        ["has_jaws", "u8"],
        ["opening", "f32"],
        ["jaw_force", "f32"],
        ["other_jaw_force", "f32"],
        ["latched", "u8"],
    ],
    tool_part: [
        ["hand", "u16"],
        ["jaw", "u8"],
        ["kind", "u8"],
        ["radius", "f32"],
        ["half_length", "f32"],
        ["half_extents", "vec3"],
        ["position", "vec3"],
        ["rotation", "quat"],
    ],
    tissue_state: [
        ["tissue", "u16"],
        ["topology_version", "u32"],
        ["positions", "floats"],
    ],
    contact_state: [
        ["thread", "u16"],
        ["other_thread", "i32"],
        ["shape", "i32"],
        ["segment", "u32"],
        ["other_segment", "u32"],
        ["point", "vec3"],
        ["normal", "vec3"],
        ["force", "vec3"],
        ["gap", "f32"],
    ],
    bite_state: [
        ["thread", "u16"],
        ["tissue", "u16"],
        ["position", "vec3"],
        ["pull", "vec3"],
        ["bears", "f32"],
    ],
    torn_state: [
        ["tissue", "u16"],
        ["length", "f32"],
        ["area", "f32"],
    ],
    knot_state: [
        ["thread", "u16"],
        ["name", "text"],
        ["common", "text"],
        ["throws", "text"],
        ["certain", "u8"],
    ],
    device_state: [
        ["hand", "u16"],
        ["name", "text"],
        ["here", "u8"],
        ["arrivals", "u32"],
        ["samples", "u32"],
        ["unread", "u32"],
        ["rate", "f32"],
        ["late", "f32"],
        ["longest", "f32"],
        ["loop_late", "f32"],
        ["force", "f32"],
        ["stiffness", "f32"],
        ["limit", "f32"],
        ["energy", "f32"],
        ["account", "f32"],
        ["capped", "u32"],
        ["withheld", "u32"],
    ],
    session_state: [
        ["session", "u32"],
        ["name", "text"],
        ["scene", "text"],
        ["clients", "u16"],
        ["is_own", "u8"],
        ["processor", "f64"],
        ["idle", "f64"],
    ],
    hello: [
        ["request", "u32"],
        ["version", "u16"],
        ["token", "text"],
        ["name", "text"],
        ["session", "u32"],
        ["key", "text"],
    ],
    operate: [
        ["request", "u32"],
        ["operations", "rest"],
    ],
    list_scenes: [
        ["request", "u32"],
    ],
    choose_scene: [
        ["request", "u32"],
        ["name", "text"],
    ],
    reset: [
        ["request", "u32"],
    ],
    pause: [
        ["request", "u32"],
    ],
    go: [
        ["request", "u32"],
    ],
    advance: [
        ["request", "u32"],
        ["steps", "u32"],
    ],
    slow_motion: [
        ["request", "u32"],
        ["factor", "f64"],
    ],
    lockstep: [
        ["request", "u32"],
        ["on", "u8"],
    ],
    take_hand: [
        ["request", "u32"],
        ["hand", "u16"],
    ],
    leave_hand: [
        ["request", "u32"],
        ["hand", "u16"],
    ],
    snapshot: [
        ["request", "u32"],
        ["slot", "u8"],
    ],
    restore: [
        ["request", "u32"],
        ["slot", "u8"],
    ],
    run_script: [
        ["request", "u32"],
        ["name", "text"],
        ["script", "rest"],
    ],
    stop_script: [
        ["request", "u32"],
    ],
    start_recording: [
        ["request", "u32"],
        ["name", "text"],
    ],
    end_recording: [
        ["request", "u32"],
    ],
    list_recordings: [
        ["request", "u32"],
    ],
    open_recording: [
        ["request", "u32"],
        ["name", "text"],
    ],
    seek: [
        ["request", "u32"],
        ["step", "u64"],
    ],
    play: [
        ["request", "u32"],
        ["speed", "f64"],
    ],
    branch: [
        ["request", "u32"],
    ],
    close_recording: [
        ["request", "u32"],
    ],
    watch: [
        ["request", "u32"],
        ["rate", "f32"],
    ],
    ping: [
        ["request", "u32"],
        ["time", "f64"],
    ],
    start_lesson: [
        ["request", "u32"],
        ["scene", "text"],
        ["name", "text"],
        ["script", "rest"],
    ],
    save_past: [
        ["request", "u32"],
    ],
    ask_training: [
        ["request", "u32"],
        ["kind", "u8"],
        ["task", "text"],
        ["trainee", "text"],
        ["number", "u64"],
    ],
    begin_attempt: [
        ["request", "u32"],
        ["task", "text"],
        ["trainee", "text"],
        ["seed", "u64"],
        ["script", "text"],
    ],
    end_attempt: [
        ["request", "u32"],
        ["keep", "u8"],
    ],
    enter: [
        ["request", "u32"],
        ["session", "u32"],
    ],
    list_sessions: [
        ["request", "u32"],
    ],
    ask_hands: [
        ["request", "u32"],
    ],
    give_hands: [
        ["request", "u32"],
        ["client", "u32"],
    ],
    welcome: [
        ["request", "u32"],
        ["version", "u16"],
        ["program", "text"],
        ["client", "u32"],
        ["may_control", "u8"],
        ["frame_rate", "f32"],
        ["most_bytes", "u32"],
        ["most_messages", "u32"],
        ["session", "u32"],
        ["is_guest", "u8"],
    ],
    done: [
        ["request", "u32"],
    ],
    error: [
        ["request", "u32"],
        ["code", "u16"],
        ["message", "text"],
    ],
    scenes: [
        ["request", "u32"],
        ["scenes", ["scene_name"]],
    ],
    scene: [
        ["request", "u32"],
        ["generation", "u32"],
        ["name", "text"],
        ["title", "text"],
        ["duration", "f64"],
        ["time_step", "f64"],
        ["first_step", "u64"],
        ["last_step", "u64"],
        ["threads", ["thread_info"]],
        ["shapes", ["shape_info"]],
        ["hands", ["hand_info"]],
        ["tissues", ["tissue_info"]],
    ],
    topology: [
        ["request", "u32"],
        ["generation", "u32"],
        ["thread", "u16"],
        ["topology_version", "u32"],
        ["arcs", "floats"],
    ],
    frame: [
        ["request", "u32"],
        ["acknowledged", "u32"],
        ["missed", "u32"],
        ["generation", "u32"],
        ["number", "u64"],
        ["step", "u64"],
        ["time", "f64"],
        ["mode", "u8"],
        ["recording", "u8"],
        ["script", "u8"],
        ["factor", "f32"],
        ["real_time", "f32"],
        ["behind", "f64"],
        ["step_seconds", "f32"],
        ["stage_seconds", "floats"],
        ["passes", "u32"],
        ["applied", "u64"],
        ["refused", "u64"],
        ["trouble", "u64"],
        ["has_camera", "u8"],
        ["camera_position", "vec3"],
        ["camera_target", "vec3"],
        ["camera_up", "vec3"],
        ["threads", ["thread_state"]],
        ["shapes", ["shape_state"]],
        ["hands", ["hand_state"]],
        ["contacts", ["contact_state"]],
        ["knots", ["knot_state"]],
        ["tissues", ["tissue_state"]],
        ["clients", "u16"],
        ["tools", ["tool_part"]],
        ["bites", ["bite_state"]],
        ["torn", ["torn_state"]],
    ],
    event: [
        ["request", "u32"],
        ["generation", "u32"],
        ["step", "u64"],
        ["kind", "u8"],
        ["message", "text"],
    ],
    recordings: [
        ["request", "u32"],
        ["recordings", ["recording_name"]],
    ],
    pong: [
        ["request", "u32"],
        ["time", "f64"],
    ],
    surface: [
        ["request", "u32"],
        ["generation", "u32"],
        ["tissue", "u16"],
        ["topology_version", "u32"],
        ["nodes", ["surface_node"]],
        ["triangles", ["triangle"]],
    ],
    surface_change: [
        ["request", "u32"],
        ["generation", "u32"],
        ["tissue", "u16"],
        ["topology_version", "u32"],
        ["node_count", "u32"],
        ["triangle_count", "u32"],
        ["nodes", ["changed_node"]],
        ["triangles", ["changed_triangle"]],
    ],
    training: [
        ["request", "u32"],
        ["kind", "u8"],
        ["json", "rest"],
    ],
    devices: [
        ["request", "u32"],
        ["devices", ["device_state"]],
    ],
    sessions: [
        ["request", "u32"],
        ["sessions", ["session_state"]],
        ["most", "u32"],
        ["waiting", "u32"],
        ["kept", "u32"],
    ],
    queue: [
        ["request", "u32"],
        ["place", "u32"],
        ["seconds", "f32"],
        ["message", "text"],
    ],
    hands_asked: [
        ["request", "u32"],
        ["client", "u32"],
        ["name", "text"],
    ],
};

export const NUMBERS: Record<string, number> = {
    hello: 1,
    operate: 2,
    list_scenes: 3,
    choose_scene: 4,
    reset: 5,
    pause: 6,
    go: 7,
    advance: 8,
    slow_motion: 9,
    lockstep: 10,
    take_hand: 11,
    leave_hand: 12,
    snapshot: 13,
    restore: 14,
    run_script: 15,
    stop_script: 16,
    start_recording: 17,
    end_recording: 18,
    list_recordings: 19,
    open_recording: 20,
    seek: 21,
    play: 22,
    branch: 23,
    close_recording: 24,
    watch: 25,
    ping: 26,
    start_lesson: 27,
    save_past: 28,
    ask_training: 29,
    begin_attempt: 30,
    end_attempt: 31,
    enter: 32,
    list_sessions: 33,
    ask_hands: 34,
    give_hands: 35,
    welcome: 129,
    done: 130,
    error: 131,
    scenes: 132,
    scene: 133,
    topology: 134,
    frame: 135,
    event: 136,
    recordings: 137,
    pong: 138,
    surface: 139,
    surface_change: 140,
    training: 141,
    devices: 142,
    sessions: 143,
    queue: 144,
    hands_asked: 145,
};

// In the order of their numbers.
const OPERATIONS: [string, Member[]][] = [
    [
        "push_vertex",
        [
            ["thread", "thread"],
            ["vertex", "integer"],
            ["force", "vector"],
        ],
    ],
    [
        "push_segment",
        [
            ["thread", "thread"],
            ["segment", "integer"],
            ["fraction", "number"],
            ["force", "vector"],
        ],
    ],
    [
        "push_moment",
        [
            ["thread", "thread"],
            ["segment", "integer"],
            ["moment", "vector"],
        ],
    ],
    [
        "hold",
        [
            ["thread", "thread"],
            ["vertex", "integer"],
            ["target", "vector"],
        ],
    ],
    [
        "release",
        [
            ["thread", "thread"],
            ["vertex", "integer"],
        ],
    ],
    [
        "set_end",
        [
            ["thread", "thread"],
            ["end", "end"],
            ["kind", "end_kind"],
            ["position", "vector"],
            ["direction", "vector"],
            ["turn", "number"],
        ],
    ],
    [
        "set_added_mass",
        [
            ["thread", "thread"],
            ["vertex", "integer"],
            ["mass", "number"],
        ],
    ],
    [
        "remove_thread",
        [
            ["thread", "thread"],
        ],
    ],
    [
        "set_gravity",
        [
            ["gravity", "vector"],
        ],
    ],
    [
        "set_time_step",
        [
            ["time_step", "number"],
        ],
    ],
    [
        "set_newton",
        [
            ["passes", "integer"],
            ["tolerance", "number"],
            ["line_search", "flag"],
        ],
    ],
    [
        "move_shape",
        [
            ["shape", "shape"],
            ["position", "vector"],
            ["rotation", "rotation"],
        ],
    ],
    [
        "move_hand",
        [
            ["hand", "hand"],
            ["position", "vector"],
            ["rotation", "rotation"],
            ["time", "number"],
        ],
    ],
    [
        "close_hand",
        [
            ["hand", "hand"],
        ],
    ],
    [
        "open_hand",
        [
            ["hand", "hand"],
        ],
    ],
    [
        "move_camera",
        [
            ["position", "vector"],
            ["target", "vector"],
            ["up", "vector"],
        ],
    ],
    [
        "push_tissue",
        [
            ["tissue", "tissue"],
            ["triangle", "integer"],
            ["weights", "vector"],
            ["force", "vector"],
        ],
    ],
    [
        "fix_node",
        [
            ["tissue", "tissue"],
            ["node", "integer"],
            ["fixed", "flag"],
        ],
    ],
    [
        "move_node",
        [
            ["tissue", "tissue"],
            ["node", "integer"],
            ["place", "vector"],
        ],
    ],
    [
        "remove_tissue",
        [
            ["tissue", "tissue"],
        ],
    ],
    [
        "hand_tool",
        [
            ["hand", "hand"],
            ["tool", "tool"],
        ],
    ],
    [
        "set_friction",
        [
            ["thread", "thread"],
            ["friction", "number"],
        ],
    ],
    [
        "cut",
        [
            ["tissue", "tissue"],
            ["from", "vector"],
            ["to", "vector"],
            ["from_down", "vector"],
            ["to_down", "vector"],
        ],
    ],
    [
        "separate",
        [
            ["tissue", "tissue"],
            ["node", "integer"],
        ],
    ],
    [
        "merge",
        [
            ["tissue", "tissue"],
        ],
    ],
    [
        "set_state",
        [
            ["thread", "thread"],
            ["vertex", "integer"],
            ["position", "vector"],
            ["velocity", "vector"],
        ],
    ],
    [
        "cut_thread",
        [
            ["thread", "thread"],
            ["arc", "number"],
        ],
    ],
    [
        "set_jaws",
        [
            ["hand", "hand"],
            ["opening", "number"],
            ["force", "number"],
        ],
    ],
];

type Member = [string, string | [string]];
type Values = Record<string, unknown>;

/** Thrown for bytes that are no message. */
export class ProtocolError extends Error {}

const NAMES = new Map(Object.entries(NUMBERS).map(([name, number]) => [number, name]));
const ENDS = ["start", "finish"];
const TOOL_NAMES = TOOLS.map(({ name }) => name);
const END_KINDS = ["free", "pinned", "clamped"];
const TEXT_READER = new TextDecoder("utf-8", { fatal: true });
const TEXT_WRITER = new TextEncoder();

class Reader {
    private readonly view: DataView;
    private at = 0;

    constructor(bytes: Uint8Array) {
        this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        this.at = 0;
    }
    left(): number {
        return this.view.byteLength - this.at;
    }
    take(count: number): number {
        if (count > this.left()) throw new ProtocolError("the message ends too early");
        const start = this.at;
        this.at += count;
        return start;
    }
    bytes(count: number): Uint8Array {
        return new Uint8Array(this.view.buffer, this.view.byteOffset + this.take(count), count);
    }
    u8() {
        return this.view.getUint8(this.take(1));
    }
    u16() {
        return this.view.getUint16(this.take(2), true);
    }
    u32() {
        return this.view.getUint32(this.take(4), true);
    }
    u64() {
        const low = this.u32();
        return low + this.u32() * 4294967296;
    }
    i32() {
        return this.view.getInt32(this.take(4), true);
    }
    f32() {
        return this.view.getFloat32(this.take(4), true);
    }
    f64() {
        return this.view.getFloat64(this.take(8), true);
    }
    text(): string {
        const bytes = this.bytes(this.u16());
        if (this.u8() !== 0) throw new ProtocolError("a text does not end where it should");
        return TEXT_READER.decode(bytes);
    }
    floats(): Float32Array {
        const count = this.u32();
        const start = this.take(4 * count);
        const values = new Float32Array(count);
        for (let i = 0; i < count; i++) values[i] = this.view.getFloat32(start + 4 * i, true);
        return values;
    }
    repeat(count: number, read: () => number): number[] {
        return Array.from({ length: count }, read);
    }
    value(kind: string | [string]): unknown {
        if (typeof kind !== "string") {
            const count = this.u32();
            if (count > this.left()) throw new ProtocolError("a list is longer than its message");
            return Array.from({ length: count }, () => this.members(FORMS[kind[0]]!));
        }
        switch (kind) {
            case "u8":
                return this.u8();
            case "u16":
                return this.u16();
            case "u32":
                return this.u32();
            case "u64":
                return this.u64();
            case "f32":
                return this.f32();
            case "f64":
            case "number":
                return this.f64();
            case "vec3":
                return this.repeat(3, () => this.f32());
            case "quat":
                return this.repeat(4, () => this.f32());
            case "text":
                return this.text();
            case "floats":
                return this.floats();
            case "rest":
                return this.bytes(this.left());
            case "vector":
                return this.repeat(3, () => this.f64());
            case "rotation":
                return this.repeat(4, () => this.f64());
            case "flag":
                return this.u8() !== 0;
            case "end":
                return ENDS[this.u8()];
            case "end_kind":
                return END_KINDS[this.u8()];
            case "tool":
                return TOOL_NAMES[this.u8()];
            default: // i32, and places and whole numbers of operations
                return this.i32();
        }
    }
    members(members: Member[], into: Values = {}): Values {
        for (const [name, kind] of members) into[name] = this.value(kind);
        return into;
    }
}

class Writer {
    private bytes: Uint8Array<ArrayBuffer>;
    private view: DataView;
    private at = 0;

    constructor() {
        this.bytes = new Uint8Array(256);
        this.view = new DataView(this.bytes.buffer);
        this.at = 0;
    }
    done(): Uint8Array<ArrayBuffer> {
        return this.bytes.slice(0, this.at);
    }
    take(count: number): number {
        const start = this.at;
        this.at += count;
        if (this.at > this.bytes.length) {
            const larger = new Uint8Array(2 * this.at);
            larger.set(this.bytes);
            this.bytes = larger;
            this.view = new DataView(larger.buffer);
        }
        return start;
    }
    put(bytes: Uint8Array) {
        const start = this.take(bytes.length);
        this.bytes.set(bytes, start);
    }
    u8(value: number) {
        const at = this.take(1);
        this.view.setUint8(at, value);
    }
    u16(value: number) {
        const at = this.take(2);
        this.view.setUint16(at, value, true);
    }
    u32(value: number) {
        const at = this.take(4);
        this.view.setUint32(at, value, true);
    }
    u64(value: number) {
        this.u32(value % 4294967296);
        this.u32(Math.floor(value / 4294967296));
    }
    i32(value: number) {
        const at = this.take(4);
        this.view.setInt32(at, value, true);
    }
    f32(value: number) {
        const at = this.take(4);
        this.view.setFloat32(at, value, true);
    }
    f64(value: number) {
        const at = this.take(8);
        this.view.setFloat64(at, value, true);
    }
    text(value: string) {
        const bytes = TEXT_WRITER.encode(value);
        if (bytes.length > 65535) throw new ProtocolError("a text is longer than 65535 bytes");
        this.u16(bytes.length);
        this.put(bytes);
        this.u8(0);
    }
    choice(words: string[], value: unknown) {
        const index = words.indexOf(value as string);
        if (index < 0) throw new ProtocolError(`found ${String(value)}; expected ${words.join(", ")}`);
        this.u8(index);
    }
    value(kind: string | [string], value: unknown) {
        if (typeof kind !== "string") {
            const items = value as Values[];
            this.u32(items.length);
            for (const item of items) this.members(FORMS[kind[0]]!, item);
            return;
        }
        const numbers = value as number[];
        switch (kind) {
            case "u8":
                return this.u8(value as number);
            case "u16":
                return this.u16(value as number);
            case "u32":
                return this.u32(value as number);
            case "u64":
                return this.u64(value as number);
            case "f32":
                return this.f32(value as number);
            case "f64":
            case "number":
                return this.f64(value as number);
            case "vec3":
            case "quat":
                return numbers.forEach((number) => this.f32(number));
            case "text":
                return this.text(value as string);
            case "floats":
                this.u32(numbers.length);
                return numbers.forEach((number) => this.f32(number));
            case "rest":
                return this.put(value as Uint8Array);
            case "vector":
            case "rotation":
                return numbers.forEach((number) => this.f64(number));
            case "flag":
                return this.u8(value ? 1 : 0);
            case "end":
                return this.choice(ENDS, value);
            case "end_kind":
                return this.choice(END_KINDS, value);
            case "tool":
                return this.choice(TOOL_NAMES, value);
            default:
                return this.i32(value as number);
        }
    }
    members(members: Member[], from: Values) {
        for (const [name, kind] of members) {
            if (from[name] === undefined) throw new ProtocolError(`"${name}" is missing`);
            this.value(kind, from[name]);
        }
    }
}

/** The bytes of a message. */
export function encodeMessage(message: Message): Uint8Array<ArrayBuffer> {
    const writer = new Writer();
    writer.u16(NUMBERS[message.type]!);
    writer.members(FORMS[message.type]!, message as unknown as Values);
    return writer.done();
}

/** The message in bytes; throws a ProtocolError when they are none. */
export function decodeMessage(data: ArrayBuffer | Uint8Array): Message {
    const reader = new Reader(data instanceof Uint8Array ? data : new Uint8Array(data));
    const number = reader.u16();
    const type = NAMES.get(number);
    if (type === undefined) throw new ProtocolError(`there is no message ${number}`);
    const message = reader.members(FORMS[type]!, { type });
    if (reader.left() > 0) throw new ProtocolError(`${reader.left()} bytes are left over`);
    return message as unknown as Message;
}

/** The bytes of operations, for the message operate. */
export function encodeOperations(operations: Operation[]): Uint8Array<ArrayBuffer> {
    const writer = new Writer();
    for (const operation of operations) {
        const number = OPERATIONS.findIndex(([name]) => name === operation.type);
        if (number < 0) throw new ProtocolError(`there is no operation ${operation.type}`);
        writer.u16(number);
        writer.u64(operation.step);
        writer.members(OPERATIONS[number]![1], operation as unknown as Values);
    }
    return writer.done();
}

/** The operations in the bytes of an operate. */
export function decodeOperations(bytes: Uint8Array): Operation[] {
    const reader = new Reader(bytes);
    const operations: Operation[] = [];
    while (reader.left() > 0) {
        const form = OPERATIONS[reader.u16()];
        if (form === undefined) throw new ProtocolError("there is no such operation");
        const step = reader.u64();
        operations.push(reader.members(form[1], { type: form[0], step }) as unknown as Operation);
    }
    return operations;
}
