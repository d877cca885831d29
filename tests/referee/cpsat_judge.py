"""What OR-Tools' CP-SAT says of packings: reads one JSON object a line, {capacity, least, buffers: [{size, alignment, offset, bank, pieces: [[begin, end,
window_lower, window_upper], ...]}]}, and answers {"outcome": "feasible" | "infeasible" | "unknown", "height": int | null, "ms": CPU} on one. With least the
height is the least one up to the capacity. One worker: the same verdict, and a time of one processor. It has "seconds" of the clock (60), or, if
"processor" is given, so many of its own; what it knows of the least height by then is the height of the best plan."""
import json
import sys
import threading
import time

from ortools.sat.python import cp_model


def stop_after(solver, seconds):
    """Ends a search that has had so many seconds of the processor; the event that is returned says that it has ended."""
    done, begin = threading.Event(), time.process_time()

    def watch():
        while not done.wait(0.01):
            if time.process_time() - begin > seconds:
                solver.stop_search()
                return

    threading.Thread(target=watch, daemon=True).start()
    return done


def judge(problem):
    model = cp_model.CpModel()
    capacity = problem["capacity"]
    height = model.new_int_var(0, capacity, "height")
    times, places = [], []
    for i, buffer in enumerate(problem["buffers"]):
        size, alignment, bank = buffer["size"], buffer["alignment"], buffer["bank"]
        if capacity < size:
            return {"outcome": "infeasible", "height": None}
        offset = model.new_int_var(0, capacity - size, f"o{i}")
        if alignment > 1:
            model.add(offset == alignment * model.new_int_var(0, capacity // alignment, f"k{i}"))
        if bank:
            inside = model.new_int_var(0, bank - size, f"r{i}")
            model.add(offset == bank * model.new_int_var(0, capacity // bank, f"q{i}") + inside)
        if buffer["offset"] >= 0:
            model.add(offset == buffer["offset"])
        model.add(offset + size <= height)
        for k, (begin, end, low, high) in enumerate(buffer["pieces"]):
            if high > low:
                times.append(model.new_fixed_size_interval_var(begin, end - begin, f"t{i}_{k}"))
                places.append(model.new_fixed_size_interval_var(offset + low, high - low, f"y{i}_{k}"))
    model.add_no_overlap_2d(times, places)
    if problem["least"]:
        model.minimize(height)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    own = problem.get("processor")
    solver.parameters.max_time_in_seconds = problem.get("seconds", 60) if own is None else 60 * own
    solver.parameters.use_timetabling_in_no_overlap_2d = True
    solver.parameters.use_energetic_reasoning_in_no_overlap_2d = True
    done = stop_after(solver, own) if own else threading.Event()
    status = solver.solve(model)
    done.set()
    if status == cp_model.INFEASIBLE:
        return {"outcome": "infeasible", "height": None}
    if status == cp_model.OPTIMAL or (status == cp_model.FEASIBLE and not problem["least"]):
        return {"outcome": "feasible", "height": solver.value(height) if problem["least"] else None}
    return {"outcome": "unknown", "height": solver.value(height) if status == cp_model.FEASIBLE else None}


for line in sys.stdin:
    task = json.loads(line)
    begin = time.process_time()
    answer = judge(task)
    answer["ms"] = round(1000 * (time.process_time() - begin), 2)
    print(json.dumps(answer), flush=True)
