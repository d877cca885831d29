"""Plug-ins for compilers and runtimes. The real ones are hundreds of megabytes: where they are not there, what they hand over is made by hand."""

import pickle
import shutil
import struct
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import arenascope
import pytest
from arenascope import executorch, tflm, torch_snapshot, xla

ROOT = Path(__file__).resolve().parents[2]
needs_node = pytest.mark.skipif(
    shutil.which("node") is None or not (ROOT / "build" / "arenascope-model.mjs").is_file(), reason="the importers need Node and ./build.sh web"
)


class Spec(SimpleNamespace):
    """As much of a TensorSpec as a planner uses."""

    __hash__ = object.__hash__

    def realign(self, alignment):
        self.allocated_memory = -(-self.nbytes // alignment) * alignment
        return self.allocated_memory


@pytest.fixture
def planning(monkeypatch):
    """executorch.exir.memory_planning with a greedy of its own: each tensor above the one before."""
    module = ModuleType("executorch.exir.memory_planning")
    module.MemoryAlgoResult = lambda spec_dict, bufsizes: SimpleNamespace(spec_dict=spec_dict, bufsizes=bufsizes)
    module.SpecAllocResult = lambda mem_id, mem_obj_id, mem_offset: SimpleNamespace(mem_id=mem_id, mem_obj_id=mem_obj_id, mem_offset=mem_offset)

    def greedy(alignment, specs, graph_module, graph_signature, extra_padding=0):
        result = module.MemoryAlgoResult({}, [0, 0, 0])
        for k, spec in enumerate(specs):
            memory = spec.mem_id or 1
            floor = graph_module.input_mem_buffer_sizes[memory]
            at = result.bufsizes[memory] or floor
            result.spec_dict[spec] = module.SpecAllocResult(memory, k, at)
            result.bufsizes[memory] = at + spec.realign(alignment)
        result.bufsizes = [size + extra_padding if size else 0 for size in result.bufsizes]
        return result

    module.greedy = greedy
    module.MemoryPlanningAlgorithmSuite = lambda algo_list: algo_list
    for name in ("executorch", "executorch.exir"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


def specs_of(*rows):
    return [Spec(nbytes=nbytes, lifetime=[first, last], mem_id=memory) for nbytes, first, last, memory in rows]


GRAPH = SimpleNamespace(input_mem_buffer_sizes=[0, 32, 0])


def test_executorch_gets_the_least_plan_of_each_memory(planning):
    # a chain: of four tensors two are alive at a time, ends included
    specs = specs_of((60, 0, 1, None), (64, 1, 2, None), (64, 2, 3, None), (64, 3, 4, None), (100, 0, 4, 2), (7, 5, 5, 2))
    result = executorch.plan(16, specs, GRAPH, None, 8)
    # two of 64 above a floor of 32; 112 for the 100; padding behind both
    assert result.bufsizes == [0, 32 + 128 + 8, 112 + 8]
    placed = [result.spec_dict[spec] for spec in specs]
    assert [one.mem_id for one in placed] == [1, 1, 1, 1, 2, 2]
    for a, one in zip(placed, specs):
        assert a.mem_offset % 16 == 0 and a.mem_offset >= GRAPH.input_mem_buffer_sizes[a.mem_id]
        for b, other in zip(placed, specs):
            alive = one.lifetime[0] <= other.lifetime[1] and other.lifetime[0] <= one.lifetime[1]
            if one is not other and a.mem_id == b.mem_id and alive:
                assert a.mem_offset + one.allocated_memory <= b.mem_offset or b.mem_offset + other.allocated_memory <= a.mem_offset
    greedy, ours = executorch.suite()
    assert sum(ours(16, specs, GRAPH, None).bufsizes) < sum(greedy(16, specs, GRAPH, None).bufsizes)


@pytest.mark.parametrize("base", ["storage_base", "inplace_base"])
def test_executorch_keeps_its_own_plan_where_tensors_are_views(planning, base):
    specs = specs_of((64, 0, 1, None), (64, 2, 3, None))
    setattr(specs[1], base, specs[0])
    assert executorch.plan(16, specs, GRAPH, None).bufsizes == planning.greedy(16, specs, GRAPH, None).bufsizes


def test_executorch_itself_takes_the_plan():
    pytest.importorskip("torch")
    pytest.importorskip("executorch.exir")
    import torch
    from executorch.exir import ExecutorchBackendConfig, to_edge
    from executorch.exir.memory_planning import MemoryPlanningAlgorithmSuite, greedy
    from executorch.exir.passes import MemoryPlanningPass

    net = torch.nn.Sequential(torch.nn.Linear(64, 256), torch.nn.ReLU(), torch.nn.Linear(256, 16), torch.nn.ReLU(), torch.nn.Linear(16, 128)).eval()

    def sizes(algorithm):
        edge = to_edge(torch.export.export(net, (torch.zeros(4, 64),)))
        program = edge.to_executorch(ExecutorchBackendConfig(memory_planning_pass=MemoryPlanningPass(memory_planning_algo=algorithm)))
        return sum(program.executorch_program.execution_plan[0].non_const_buffer_sizes)

    assert sizes(executorch.suite()) <= sizes(MemoryPlanningAlgorithmSuite([greedy]))


@needs_node
def test_a_snapshot_of_pytorch_is_read_with_what_is_said_of_it(tmp_path):
    base = 139_809_741_864_960
    event = lambda action, at, size: {"action": action, "addr": base + at, "size": size, "stream": 0, "frames": []}
    trace = [event("segment_alloc", 0, 4096), event("alloc", 0, 1024), event("alloc", 1024, 512), event("free_completed", 0, 1024), event("alloc", 2048, 1024)]
    path = tmp_path / "snapshot.pickle"
    path.write_bytes(pickle.dumps({"segments": [], "device_traces": [trace], "allocator_settings": {}}))
    problem = torch_snapshot.read(path)
    assert sorted(problem.size) == [512, 1024, 1024]
    # three pieces in 3,072 bytes, of which two are alive at a time
    assert problem.minimize().height == 1536
    assert any("peak" in note for note in problem.notes)


@needs_node
def test_a_dump_of_xla_is_read_with_its_live_ranges(tmp_path):
    (tmp_path / "module_1.jit_f.cpu_after_optimizations-buffer-assignment.txt").write_text(
        "BufferAssignment:\nallocation 0: size 96, preallocated-temp:\n"
        " value: <1 a @0> (size=64,offset=0): f32[16]{0}\n value: <2 b @0> (size=32,offset=64): f32[8]{0}\n"
        " value: <3 c @0> (size=32,offset=0): f32[8]{0}\n"
    )
    (tmp_path / "module_1.jit_f.cpu_after_optimizations-live-range.txt").write_text(
        "HloLiveRange (max 4):\n  InstructionSequence:\n    0:a\n    1:b\n    2:c\n  BufferLiveRange:\n    a{}:0-1\n    b{}:1-3\n    c{}:2-3\n"
    )
    ((name, path),) = xla.programs(tmp_path).items()
    assert name == "module_1.jit_f.cpu_after_optimizations"
    problem = xla.read(path)
    assert dict(zip(problem.ids, problem.size)) == {"a": 64, "b": 32, "c": 32}
    assert problem.minimize().height == 96


@needs_node
def test_what_no_plan_can_be_written_into_is_refused(tmp_path):
    (tmp_path / "no.tflite").write_bytes(b"\x1c\0\0\0TFL3" + bytes(40))
    with pytest.raises(ValueError, match="no.tflite"):
        tflm.write(str(tmp_path / "no.tflite"), str(tmp_path / "out.tflite"))


@needs_node
def test_a_plan_of_python_s_is_in_the_model_as_tflite_micro_reads_it(tmp_path):
    # three layers of 768, 1,024 and 1,024 bytes, of which the reshape is in place: tests/import/tflite/writer.ts wrote it
    model, planned = ROOT / "tests" / "python" / "small.tflite", tmp_path / "planned.tflite"
    said, notes = tflm.write(str(model), str(planned), capacity=4096)
    assert said.startswith("small: ")
    assert notes[0].startswith("Planned: 4 of the 5 tensors")
    data = planned.read_bytes()
    assert b"OfflineMemoryAllocation" in data
    # version, subgraphs, tensors, offsets: the weights are not in the arena
    head = struct.pack("<3i", 1, 1, 5)
    assert data.count(head) == 1
    offsets = struct.unpack_from("<5i", data, data.index(head) + len(head))
    assert offsets[1] == -1
    assert min(offsets[:1] + offsets[2:]) == 0 and all(offset % 16 == 0 for offset in offsets if offset >= 0)
    # it is the same model, and is planned anew
    again, before = (arenascope.Problem.read(path) for path in (planned, model))
    assert again.digest == before.digest
    said, _ = tflm.write(str(model), str(tmp_path / "out.tflite"), capacity=16)
    assert "does not fit into 16 bytes" in said and not (tmp_path / "out.tflite").exists()
