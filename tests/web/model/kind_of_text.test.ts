/** What a text is by its first lines: a search, a graph, tasks, buffers, or another tool's, for the importers. */
import { describe, expect, it } from 'vitest'
import { kindOfText } from '../../../web/src/state/share/recognize'

describe('a text', () => {
  it.each([
    ['{"arenascope":"search"}', 'shared'],
    ['tensor,a,1\nop,b,c,d,e\n', 'graph'],
    ['# a comment\r\n"op",b,c,d,e', 'graph'],
    ['id,lower,upper,size\n', 'buffers'],
    ['\ufeff# c\n\nsize, start ,END\n', 'buffers'],
    ['# c\ntiled,a,1,4x4\ntask,t,,a\n', 'tasks'],
    ['task,t,,a\n', 'tasks'],
    ['task,lower,upper,size\n', 'buffers'],
    ['op,lower,upper,size\n', 'buffers'],
    ['tensor,first_use,last_use,bytes\n', 'buffers'],
    ['tensor,first,last,size\n', 'buffers'],
    ['tensor,Alloc Time,free-time,size_in_bytes\n', 'buffers'],
    ['tensor,begin_time,stop,nbytes\n', 'buffers'],
    ['# arenascope: end=inclusive\n[\n{"id":"a"}]', 'buffers'],
    ['{"tensors":[]}', 'foreign'],
    ['TFL3\0\u0001', 'foreign'],
    ['I (31) x: (id=0): size=16, offset=0, first_used=0 last_used=1', 'foreign'],
    ['# Vela\nallocation for Sram - non-constant tensors - Whole', 'foreign'],
    ['Allocation, memory Sram, usage mask: FeatureMap', 'foreign'],
    ['BufferAssignment:\nallocation 0: size 4, page 0, preallocated-temp:\n', 'foreign'],
    ['HloLiveRange (max 9):\n', 'foreign'],
    ['util.func public @f {\n  %0 = stream.tensor.import %a', 'foreign'],
    ['[{"name": "a", "ph": "X", "ts": 0}]', 'foreign'],
    ['pool,fast,8\nid,lower,upper,size\n', 'buffers'],
    ['id, start ,END\n', 'buffers'],
    ['nothing at all', 'foreign'],
    ['tensors,1', 'foreign'],
    ['', 'buffers'],
  ])('takes %j for %s', (text, kind) => {
    expect(kindOfText(text)).toBe(kind)
  })
})
